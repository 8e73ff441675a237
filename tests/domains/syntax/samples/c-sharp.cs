using System;
using System.Collections.Generic;
using System.Linq;

namespace Example.Garden
{
    public enum Size { Small = 1, Large }

    public record Plant(string Name, Size Size);

    /// <summary>A garden.</summary>
    public sealed class Garden<T> : IDisposable where T : Plant
    {
        private readonly List<T> plants = new();
        public event EventHandler<string>? Planted;
        public int Count => plants.Count;
        public string Title { get; private set; } = "garden";

        public void Add(T plant)
        {
            if (plant is null) throw new ArgumentNullException(nameof(plant));
            plants.Add(plant);
            Planted?.Invoke(this, $"planted {plant.Name}");
        }

        public IEnumerable<string> Names(Func<T, bool> wanted)
        {
            var found = from p in plants where wanted(p) orderby p.Name select p.Name;
            foreach (var name in found)
            {
                yield return name switch { "" => "?", _ => name.ToUpper() };
            }
        }

        public void Dispose() => plants.Clear(); // nothing else
    }
}
