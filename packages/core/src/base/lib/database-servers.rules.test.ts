import { describe, expect, it } from 'vitest';
import {
  databaseServers,
  forPrograms,
  onOtherDatabase,
  placeOfDatabase,
  problemOfDatabase,
} from './database-servers.rules.ts';

const several = 'postgres://joe:p%40ss@a,b:5433,[::1]:5434/mail?sslmode=require';

it('an address names each of its servers, with everything else the same', () => {
  expect(databaseServers(several)).toEqual([
    'postgres://joe:p%40ss@a/mail?sslmode=require',
    'postgres://joe:p%40ss@b:5433/mail?sslmode=require',
    'postgres://joe:p%40ss@[::1]:5434/mail?sslmode=require',
  ]);
  expect(databaseServers('postgres://a,b/mail')).toEqual(['postgres://a/mail', 'postgres://b/mail']);
  for (const one of ['postgres://joe:a,b@host/mail', 'postgres:///mail?host=/run/postgresql'])
    expect(databaseServers(one)).toEqual([one]);
});

it('says where the database is without user and password', () => {
  expect(placeOfDatabase(several)).toBe('a,b:5433,[::1]:5434/mail');
  expect(placeOfDatabase('nonsense')).toBeNull();
});

it('names another database on the same servers', () => {
  expect(onOtherDatabase(several, 'other')).toBe(
    'postgres://joe:p%40ss@a,b:5433,[::1]:5434/other?sslmode=require',
  );
  expect(onOtherDatabase('postgres://a', 'other')).toBe('postgres://a/other');
});

describe('programs of PostgreSQL get', () => {
  it('the password apart, as it is sent', () => {
    expect(forPrograms('postgres://joe:p%40ss@a/mail')).toEqual({
      url: 'postgres://joe@a/mail',
      password: 'p@ss',
    });
    expect(forPrograms('postgres://a/mail')).toEqual({ url: 'postgres://a/mail', password: '' });
  });

  it('of several servers the one that takes writes', () => {
    expect(forPrograms(several)).toEqual({
      url: 'postgres://joe@a,b:5433,[::1]:5434/mail?sslmode=require&target_session_attrs=read-write',
      password: 'p@ss',
    });
    expect(forPrograms('postgres://a,b/mail').url).toBe(
      'postgres://a,b/mail?target_session_attrs=read-write',
    );
  });
});

describe('the problem of an address', () => {
  it.each([
    [several, null],
    ['postgresql://localhost/mail', null],
    ['mysql://localhost/x', 'must be a postgres:// URL'],
    ['postgres://a,,b/x', expect.stringContaining('each needs a host')],
    ['postgres://joe@a,b:0x/x', expect.stringContaining('each needs a host')],
    ['postgres://joe@a,:5433/x', expect.stringContaining('each needs a host')],
    ['postgres://joe@a,b:70000/x', expect.stringContaining('each needs a host')],
    ['postgres://joe@a,b:5433,a:5432/x', 'names a server twice'],
  ])('of %s is %s', (url, problem) => {
    expect(problemOfDatabase(url)).toEqual(problem);
  });

  it('quotes nothing, as a part may be one of a password', () => {
    expect(problemOfDatabase('postgres://joe:sec,ret/1@host/x')).not.toMatch(/sec|ret\b/);
  });
});
