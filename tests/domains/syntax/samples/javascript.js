// A queue of tasks that run one after the other.
'use strict';

const { EventEmitter } = require('events');

class Queue extends EventEmitter {
  #tasks = [];
  #busy = false;

  constructor({ limit = 100, name = 'queue' } = {}) {
    super();
    this.limit = limit;
    this.name = name;
  }

  add(task, ...args) {
    if (this.#tasks.length >= this.limit) throw new RangeError(`${this.name} is full`);
    this.#tasks.push(() => task(...args));
    if (!this.#busy) void this.#run();
    return this;
  }

  async #run() {
    this.#busy = true;
    for (let task; (task = this.#tasks.shift()) !== undefined; ) {
      try {
        this.emit('done', await task());
      } catch (error) {
        this.emit('error', error);
      }
    }
    this.#busy = false;
  }
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms, ms));
const queue = new Queue({ limit: 3 });
queue.on('done', (ms) => console.log('waited', ms, /\d+/.test(String(ms)) ? 'ms' : '?'));
queue.add(wait, 10).add(wait, 20);
module.exports = { Queue, wait };
