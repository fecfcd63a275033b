import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { fetchCode } from './fetch-code.ts';

it('is a program that makes the request', async () => {
  const body = { subject: "It's {{firstName ?? 'you'}} \\ \u2028", body: '<p>\n</p>' };
  const code = fetchCode({ url: 'https://mail.example.com/v1/send', key: "sk_'1", body });
  const calls: string[] = [];
  const fetch = (...call: unknown[]) => calls.push(JSON.stringify(call));
  await runInNewContext(`(async () => { ${code} })()`, { fetch });
  expect(calls.map((call) => JSON.parse(call))).toEqual([
    [
      'https://mail.example.com/v1/send',
      {
        method: 'POST',
        headers: { Authorization: "Bearer sk_'1", 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      },
    ],
  ]);
});
