// An account book with typed entries.
import type { Reader } from "./reader";

export enum Kind {
  Income = "income",
  Expense = "expense",
}

export interface Entry<T extends number | bigint = number> {
  readonly id: string;
  kind: Kind;
  amount: T;
  tags?: readonly string[];
}

type Totals = { [K in Kind]: number };

abstract class Book {
  protected entries: Entry[] = [];
  constructor(private readonly reader: Reader, public title = "book") {}
  abstract accepts(entry: Entry): entry is Entry<number>;

  load(path: string): this {
    for (const entry of this.reader.read(path) as Entry[]) {
      if (this.accepts(entry)) this.entries.push(entry);
    }
    return this;
  }

  get totals(): Totals {
    const start: Totals = { [Kind.Income]: 0, [Kind.Expense]: 0 };
    return this.entries.reduce((sum, e) => ({ ...sum, [e.kind]: sum[e.kind] + e.amount }), start);
  }
}

export class Household extends Book {
  accepts(entry: Entry): entry is Entry<number> {
    return (entry.tags?.length ?? 0) > 0 && entry.amount >= 0;
  }
}
