import { describe, expect, it } from 'vitest';
import { keptOf, readKeep } from './keep.rules.ts';

const nightly = (days: number) =>
  Array.from({ length: days }, (_, n) => ({
    name: new Date(Date.UTC(2026, 5, 30 - n, 3)).toISOString().slice(0, 10),
    at: new Date(Date.UTC(2026, 5, 30 - n, 3)),
    isVerified: false,
  }));

describe('what is kept', () => {
  it('is the newest of each day, week and month', () => {
    const kept = keptOf(nightly(100), { d: 7, w: 4, m: 3 });
    expect([...kept].sort()).toEqual(
      [
        ...['2026-06-30', '2026-06-29', '2026-06-28', '2026-06-27', '2026-06-26', '2026-06-25', '2026-06-24'],
        ...['2026-06-21', '2026-06-14'],
        ...['2026-05-31', '2026-04-30'],
      ].sort(),
    );
  });

  it('always has the newest, and the last verified one, however old it is', () => {
    const backups = nightly(100).map((backup) => ({ ...backup, isVerified: backup.name < '2026-04-01' }));
    expect(keptOf(backups, { d: 1, w: 0, m: 0 })).toEqual(new Set(['2026-06-30', '2026-03-31']));
  });

  it('is the newest of several of one day', () => {
    const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
    const backups = [1, 9, 5].map((hour) => ({ name: `${hour}`, at: at(hour), isVerified: false }));
    expect(keptOf(backups, { d: 3, w: 3, m: 3 })).toEqual(new Set(['9']));
  });

  it.each(['', '7', '7x', 'd', '0d', '7d;4w'])('%j says nothing of it', (text) => {
    expect(readKeep(text)).toBeNull();
  });

  it('is given by days, weeks and months, in any order', () => {
    expect(readKeep('6m, 7d')).toEqual({ d: 7, w: 0, m: 6 });
  });
});
