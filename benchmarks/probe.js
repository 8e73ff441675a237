// Call the public functions of a package in node_modules of the working folder.
// probe.js PACKAGE | PACKAGE CALL | PACKAGE CALL VALUE: as probe.py; VALUE in base64
'use strict'
const assert = require('assert')
const path = require('path')
const util = require('util')

const ARGUMENTS = [
  '', 'a', 'a b', 'Hello World', '1.2.3', '1.0rc1', '2020-01-02T03:04:05', '<b>x</b>', '{"a": [1, 2]}', 'a=1;b=2',
  '* x\n* y\n', 'http://u@h:80/p?q#f', 'straße', 0, 1, -1, 1000, 3.14, null, [], [1, 2], ['b', 'a'], {}, {a: 1},
]
const UNSAFE = /remove|delete|unlink|rm|write|edit|launch|prompt|confirm|pause|pager|clear|profile|exec|system|open|download|fetch|serve|run|main|input|random|time|now|uniqueId/i

function functions (loaded, name) {
  const found = {}
  if (typeof loaded === 'function') found[name] = loaded
  for (const key of Object.keys(loaded)) {
    if (typeof loaded[key] === 'function' && !UNSAFE.test(key)) found[`${name}.${key}`] = loaded[key]
  }
  return found
}

function given (call, number) {
  try {
    const value = call(ARGUMENTS[number])
    if (value && typeof value.catch === 'function') value.catch(() => {})
    return '= ' + util.inspect(value, { depth: 4, breakLength: Infinity })
  } catch (error) {
    return `! ${error && error.name}: ${error && error.message}`
  }
}

async function main () {
  const [name, call, value] = process.argv.slice(2)
  const here = path.join(process.cwd(), 'node_modules', name)
  let loaded
  try {
    loaded = require(here)
  } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM') throw error
    const about = require(path.join(here, 'package.json'))
    const entry = about.exports?.['.']?.import || about.exports?.['.'] || about.exports || about.main || 'index.js'
    loaded = await import(path.join(here, typeof entry === 'string' ? entry : entry.default))
  }
  const known = functions(loaded.default && Object.keys(loaded).length === 1 ? loaded.default : loaded, name)
  if (call === undefined) {
    const all = {}
    for (const each of Object.keys(known).sort()) {
      for (const number of ARGUMENTS.keys()) all[`${each}#${number}`] = given(known[each], number)
    }
    process.stdout.write(JSON.stringify(all))
    return
  }
  const at = call.lastIndexOf('#')
  const found = given(known[call.slice(0, at)], Number(call.slice(at + 1)))
  if (value !== undefined) assert.strictEqual(found, Buffer.from(value, 'base64').toString())
  else process.stdout.write(found)
}

main()
