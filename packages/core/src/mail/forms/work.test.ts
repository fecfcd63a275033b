import { describe, expect, it } from 'vitest';
import { isRightWork, workBits } from './work.ts';

const solve = (salt: string, email: string, bits: number): string => {
  for (let n = 0; ; n += 1) if (isRightWork(salt, email, String(n), bits)) return String(n);
};

describe('work for a guarded form', () => {
  it('is found by trying, and belongs to its salt and address', () => {
    const bits = 12;
    const work = solve('salt', 'ann@example.com', bits);
    expect(isRightWork('salt', 'ann@example.com', work, bits)).toBe(true);
    const others = [
      isRightWork('other', 'ann@example.com', work, bits),
      isRightWork('salt', 'bob@example.com', work, bits),
      isRightWork('salt', 'ann@example.com', `${work}x`, bits),
    ];
    expect(others.filter(Boolean).length).toBeLessThan(3);
  });

  it('asks for as many bits as it says', () => {
    const work = solve('s', 'e', 9);
    expect(isRightWork('s', 'e', work, 9)).toBe(true);
    expect(isRightWork('s', 'e', work, 256)).toBe(false);
    expect(workBits).toBe(18);
  });

  it('of more than 64 characters is none', () => {
    expect(isRightWork('s', 'e', 'x'.repeat(65), 0)).toBe(false);
    expect(isRightWork('s', 'e', 'x'.repeat(64), 0)).toBe(true);
  });
});
