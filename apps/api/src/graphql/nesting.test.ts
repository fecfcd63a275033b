import { describe, expect, it } from 'vitest';
import { nestingOf } from './nesting.ts';

describe('the nesting of a document', () => {
  it.each([
    ['{ a }', 1],
    ['{ a(x: [{ y: [1] }]) { b } }', 5],
    ['query ($x: [[Int!]!]!) { a(x: $x) }', 3],
    ['{ a # { { {\n }', 1],
    ['{ a(x: "{ [ \\" { [") }', 2],
    ['{ a(x: """ { " [ \\""" { """) { b } }', 2],
    ['{ a(x: "") { b(y: """""") } }', 3],
    ['{ a(x: "{ never ends', 2],
    ['} } } { {', -1],
    ['', 0],
  ])('%j', (document, expected) => {
    expect(nestingOf(document)).toBe(Math.max(0, expected));
  });

  it('is measured in linear time, also for a hundred thousand levels', () => {
    expect(nestingOf('{a'.repeat(100_000))).toBe(100_000);
    expect(nestingOf('"""\\"""'.repeat(20_000))).toBe(0);
  });
});
