// Shapes, their areas, and a cache that owns them.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace shapes {

template <typename T>
class Cache {
public:
    explicit Cache(std::size_t size = 16) : limit_{size} {}
    void add(std::unique_ptr<T> item) {
        if (items_.size() < limit_) items_.push_back(std::move(item));
    }
    template <class F> void each(F &&f) const {
        for (const auto &item : items_) f(*item);
    }
private:
    std::size_t limit_;
    std::vector<std::unique_ptr<T>> items_;
};

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const noexcept = 0;
};

struct Square final : Shape {
    double side = 1.0;
    double area() const noexcept override { return side * side; }
};

}  // namespace shapes

int main() {
    shapes::Cache<shapes::Shape> cache{4};
    cache.add(std::make_unique<shapes::Square>());
    double total = 0;
    cache.each([&total](const shapes::Shape &s) { total += s.area(); });
    return total > 0.5 ? 0 : 1;
}
