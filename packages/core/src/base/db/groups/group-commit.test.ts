import { expect, it, vi } from 'vitest';
import { CommitLate, GroupCommit, type GroupOptions, type Outcome } from './group-commit.ts';

const failure = (code: string): Error => Object.assign(new Error(code), { code });

interface Statement {
  requests: readonly string[];
  end(outcomes: Outcome<string>[] | Error): void;
}

/** A group whose statements end when the test says so. */
function open(options: Partial<GroupOptions<string, string>> = {}) {
  const statements: Statement[] = [];
  const alone = vi.fn(async (request: string) => `${request} alone`);
  const group = new GroupCommit<string, string>({
    name: 'test',
    perOwner: { count: 100, weight: 100 },
    total: { count: 100, weight: 100 },
    group: { count: 100, weight: 100 },
    placeOf: (request) => ({ owner: request.charAt(0), weight: 1, locks: [] }),
    together: (requests) =>
      new Promise((resolve, reject) => {
        const end = (outcomes: Outcome<string>[] | Error): void =>
          outcomes instanceof Error ? reject(outcomes) : resolve(outcomes);
        statements.push({ requests, end });
      }),
    alone,
    overloaded: (bound) => new Error(`full: ${bound}`),
    ...options,
  });
  const statement = (index: number): Promise<Statement> =>
    vi.waitUntil(() => statements[index], { timeout: 45_000 });
  return { group, statements, statement, alone };
}

const answered = ({ requests }: Statement): Outcome<string>[] => requests.map((answer) => ({ answer }));

it('stores requests that arrive while a statement runs with the next one, and answers after its end', async () => {
  const { group, statements, statement } = open({ group: { count: 3, weight: 9 } });
  const settled: string[] = [];
  const add = (request: string) => group.add(request).then((answer) => settled.push(answer));
  const all = [add('a1')];
  const first = await statement(0);
  all.push(add('a2'), add('a3'));
  const second = await statement(1);
  // No third statement while two are in flight.
  all.push(add('a4'), add('a5'));
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(statements.map(({ requests }) => requests)).toEqual([['a1'], ['a2', 'a3']]);
  expect(settled).toEqual([]);
  second.end(answered(second));
  await expect.poll(() => settled).toEqual(['a2', 'a3']);
  first.end(answered(first));
  const third = await statement(2);
  expect(third.requests).toEqual(['a4', 'a5']);
  third.end(answered(third));
  await Promise.all(all);
});

it('gives each request its own outcome', async () => {
  const { group, statement, alone } = open();
  const results = Promise.allSettled(['a1', 'a2', 'a3'].map((request) => group.add(request)));
  (await statement(0)).end([{ answer: 'stored' }, { error: new Error('refused') }, 'alone']);
  expect(await results).toMatchObject([
    { value: 'stored' },
    { reason: { message: 'refused' } },
    { value: 'a3 alone' },
  ]);
  expect(alone.mock.calls).toEqual([['a3']]);
});

const numbered = Array.from({ length: 40 }, (_, index) => `a${index}`);

it.each([true, false])(
  'a request that makes its group fail fails alone, the others are stored (with a statement for single ones: %s)',
  async (hasAlone) => {
    const fails = (requests: readonly string[]) => requests.includes('a7');
    const together = vi.fn(async (requests: readonly string[]): Promise<Outcome<string>[]> => {
      if (fails(requests)) throw failure('22003');
      return requests.map((answer) => ({ answer }));
    });
    const alone = async (request: string) => {
      if (fails([request])) throw failure('22003');
      return request;
    };
    const { group } = open({ together, ...(hasAlone ? { alone } : { alone: undefined }) });
    const results = await Promise.allSettled(numbered.map((request) => group.add(request)));
    for (const [index, result] of results.entries())
      expect(result).toMatchObject(index === 7 ? { reason: { code: '22003' } } : { value: numbered[index] });
  },
);

it.each(['57P01', 'ECONNREFUSED', '53300'])(
  'fails the whole group at once while the database is away (%s)',
  async (code) => {
    const together = vi.fn(async () => Promise.reject(failure(code)));
    const { group } = open({ together });
    const results = await Promise.allSettled(['a', 'b', 'c'].map((request) => group.add(request)));
    expect(results).toMatchObject(Array.from({ length: 3 }, () => ({ reason: { code } })));
    expect(together).toHaveBeenCalledTimes(1);
  },
);

it.each([
  ['an answer that never came', new Error('Query read timeout')],
  ['a mistake in the program', new TypeError('x is not a function')],
])('stores nothing a second time after %s: the statement may have been committed', async (_what, error) => {
  const together = vi.fn(async () => Promise.reject(error));
  const { group, alone } = open({ together });
  const results = await Promise.allSettled(['a', 'b', 'c'].map((request) => group.add(request)));
  expect(results).toMatchObject(Array.from({ length: 3 }, () => ({ reason: error })));
  expect([together.mock.calls.length, alone.mock.calls.length]).toEqual([1, 0]);
});

it('repeats a group after a deadlock', async () => {
  const together = vi.fn(async (requests: readonly string[]) => requests.map((answer) => ({ answer })));
  together.mockRejectedValueOnce(failure('40P01'));
  const { group } = open({ together });
  expect(await Promise.all(['a', 'b'].map((request) => group.add(request)))).toEqual(['a', 'b']);
  expect(together).toHaveBeenCalledTimes(2);
});

it('stores each request of a group that waited too long for a lock alone', async () => {
  const { group, statement } = open();
  const answers = Promise.all(['a', 'b'].map((request) => group.add(request)));
  (await statement(0)).end(failure('55P03'));
  expect(await answers).toEqual(['a alone', 'b alone']);
});

it('stores a large request alone without waiting for the group', async () => {
  const { group, statement } = open({ isLarge: (request) => request === 'large' });
  const small = group.add('small');
  const first = await statement(0);
  expect(await group.add('large')).toBe('large alone');
  first.end(answered(first));
  expect(await small).toBe('small');
});

it('refuses requests beyond the bound of their owner, and others only beyond the bound of all', async () => {
  const { group, statement } = open({ perOwner: { count: 2, weight: 9 }, total: { count: 3, weight: 9 } });
  const waiting = ['a1', 'a2'].map((request) => group.add(request));
  await expect(group.add('a3')).rejects.toThrow('full: owner');
  waiting.push(group.add('b1'));
  await expect(group.add('c1')).rejects.toThrow('full: total');
  const only = await statement(0);
  only.end(answered(only));
  expect(await Promise.all(waiting)).toEqual(['a1', 'a2', 'b1']);
});

it('large requests of one owner that wait do not stop those of another', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const alone = async (request: string) => {
    if (request.startsWith('a')) await held;
    return request;
  };
  const { group } = open({ isLarge: () => true, alone });
  const waiting = Array.from({ length: 30 }, (_, index) => group.add(`a${index}`));
  expect(await group.add('b')).toBe('b');
  release();
  expect(await Promise.all(waiting)).toHaveLength(30);
});

it('a request whose commit is not confirmed in time fails as one whose outcome is unknown', async () => {
  const { group, statement } = open({ answerMs: 200 });
  const late = group.add('a1');
  await expect(late).rejects.toBeInstanceOf(CommitLate);
  const first = await statement(0);
  first.end(answered(first));
  // A late result changes nothing, and the next request is stored as usual.
  const next = group.add('a2');
  const second = await statement(1);
  second.end(answered(second));
  expect(await next).toBe('a2');
});

it('a request that was told that it is late is not stored later', async () => {
  const { group, statement } = open({ answerMs: 200, group: { count: 1, weight: 9 } });
  const late = [group.add('a1'), group.add('a2'), group.add('a3'), group.add('a4')];
  const [one, two] = [await statement(0), await statement(1)];
  for (const each of late) await expect(each).rejects.toBeInstanceOf(CommitLate);
  const next = group.add('a5');
  one.end(answered(one));
  two.end(answered(two));
  const third = await statement(2);
  // Neither the third nor the fourth.
  expect(third.requests).toEqual(['a5']);
  third.end(answered(third));
  expect(await next).toBe('a5');
});
