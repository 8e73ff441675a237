"""A list of notes in a window. It has a fault: what is marked is not forgotten when the list is cleared."""

import os
import sys
import tkinter as tk
import traceback


class Notes:
    def __init__(self, root: tk.Tk) -> None:
        self.items = ["milk", "bread", "stamps"]
        self.marked: int | None = None
        self.entry = tk.Entry(root, name="entry")
        self.entry.place(x=10, y=10, width=260, height=26)
        self.entry.bind("<Return>", lambda _event: self.add())
        self.list = tk.Listbox(root)
        self.list.place(x=10, y=45, width=260, height=200)
        for row, (name, action) in enumerate(
            [("Add", self.add), ("Mark", self.mark), ("Copy", self.copy), ("Sort", self.sort), ("Clear", self.clear)]
        ):
            tk.Button(root, text=name, command=action).place(x=290, y=10 + 40 * row, width=90, height=30)
        self.show()

    def show(self) -> None:
        self.list.delete(0, tk.END)
        for place, item in enumerate(self.items):
            self.list.insert(tk.END, f"* {item}" if place == self.marked else item)

    def add(self) -> None:
        if self.entry.get():
            self.items.append(self.entry.get())
            self.entry.delete(0, tk.END)
        self.show()

    def mark(self) -> None:
        chosen = self.list.curselection()
        if self.items:
            self.marked = chosen[0] if chosen else 0
        self.show()

    def copy(self) -> None:
        if self.marked is not None:
            self.items.append(self.items[self.marked])  # the list may have been cleared since
        self.show()

    def sort(self) -> None:
        self.items.sort()
        self.show()

    def clear(self) -> None:
        self.items.clear()
        self.show()


def crash(*_error: object) -> None:
    traceback.print_exc()
    sys.stderr.flush()
    os._exit(1)


root = tk.Tk()
root.geometry("400x260+20+20")
root.report_callback_exception = crash
Notes(root)
root.mainloop()
