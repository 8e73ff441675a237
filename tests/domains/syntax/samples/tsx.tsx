// A list of things to do.
import React, { useMemo, useState } from "react";

interface Item {
  id: number;
  text: string;
  done: boolean;
}

interface Props {
  items: Item[];
  onChange?: (items: Item[]) => void;
}

const Row: React.FC<{ item: Item; toggle(id: number): void }> = ({ item, toggle }) => (
  <li className={item.done ? "done" : undefined}>
    <label>
      <input type="checkbox" checked={item.done} onChange={() => toggle(item.id)} />
      {item.text}
    </label>
  </li>
);

export default function Todo({ items: initial, onChange }: Props): JSX.Element {
  const [items, setItems] = useState<Item[]>(initial);
  const open = useMemo(() => items.filter((item) => !item.done).length, [items]);
  const toggle = (id: number) => {
    const next = items.map((item) => (item.id === id ? { ...item, done: !item.done } : item));
    setItems(next);
    onChange?.(next);
  };
  return (
    <>
      <h1>To do: {open}</h1>
      {open > 0 && <ul>{items.map((item) => <Row key={item.id} item={item} toggle={toggle} />)}</ul>}
    </>
  );
}
