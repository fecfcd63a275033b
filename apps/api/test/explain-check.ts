import { operationRegistry } from '@postrider/core/base/kernel';
import { issueSession, sessionCookie } from '@postrider/core/people/users';
import { expect } from 'vitest';
import { Kit } from './explain-kit.ts';
import type { TestApp } from './harness.ts';

export interface Question {
  email?: string;
  contact?: string;
  campaign?: string;
  workflow?: string;
  segment?: string;
}

export interface Expected {
  verdict: string;
  cause: string | null;
  /** the operation of the most useful next action; null for none */
  action?: string | null;
  heldBy?: string;
  /** of a link in the chain */
  outcome?: string;
  /** part of a text in the chain */
  says?: string | RegExp;
}

export type Case = [what: string, plant: (kit: Kit) => Promise<Question>, expected: Expected];

interface Next {
  action: string;
  text: string;
  input: object | null;
  url: string | null;
}

const fields = `question { email contact address campaign workflow execution segment } verdict headline cause
  chain { at check outcome text facts actor { type id label } ref { type id } } next { action text input url } heldBy estimatedSendAt`;

export async function askRest(test: TestApp, kit: Kit, question: Question) {
  const answer = await test.withKey(kit.project.secretKey)(
    'GET',
    `/explain?${new URLSearchParams(question as Record<string, string>)}`,
  );
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data ?? answer.body;
}

async function askGraphql(test: TestApp, kit: Kit, question: Question) {
  const args = Object.entries(question).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const answer = await test.withKey(kit.project.secretKey)('POST', '/graphql', {
    query: `{ explain(${args.join(', ')}) { ${fields} } }`,
  });
  expect(answer.body.errors).toBeUndefined();
  return answer.body.data.explain;
}

/** As the dashboard does, with the session of the owner. */
async function askTrpc(test: TestApp, kit: Kit, question: Question) {
  const token = await issueSession(test.services, { id: kit.project.ownerId });
  const answer = await test.anyone(
    'GET',
    `/trpc/explain.get?input=${encodeURIComponent(JSON.stringify(question))}`,
    undefined,
    { cookie: `${sessionCookie}=${token}`, 'x-project-id': kit.projectId },
  );
  expect(answer.status, answer.text).toBe(200);
  return answer.body.result.data;
}

async function askMcp(test: TestApp, kit: Kit, question: Question) {
  const answer = await test.withKey(kit.project.secretKey)(
    'POST',
    '/mcp',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'explain_get', arguments: question },
    },
    { accept: 'application/json, text/event-stream' },
  );
  expect(answer.body?.result?.isError ?? false, answer.text).toBe(false);
  return JSON.parse(answer.body.result.content[0].text);
}

/** The answers of two doors, asked one after the other: what counts from the moment of the request differs. */
const withoutTimes = ({ estimatedSendAt: _, ...rest }: { estimatedSendAt: unknown }): object =>
  JSON.parse(JSON.stringify(rest).replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.Z+]*( UTC)?/g, 'at'));

const lifting = /"subscribed":\s*true/;

/** Plants a case in a project of its own, asks by every door, and looks at the answer. */
export const createCheck =
  (test: TestApp) =>
  async (plant: Case[1], expected: Expected): Promise<void> => {
    const kit = await Kit.open(test);
    try {
      await checkOne(test, kit, await plant(kit), expected);
    } finally {
      await kit.close();
    }
  };

async function checkOne(test: TestApp, kit: Kit, question: Question, expected: Expected): Promise<void> {
  const answer = await askRest(test, kit, question);
  const { verdict, cause, chain } = answer;
  const next: Next[] = answer.next;
  const found = JSON.stringify(answer, null, 1);
  expect({ verdict, cause }, found).toEqual({ verdict: expected.verdict, cause: expected.cause });
  if (expected.action !== undefined) expect(next[0]?.action ?? null, found).toBe(expected.action);
  if (expected.outcome !== undefined)
    expect(
      chain.map((each: { outcome: string }) => each.outcome),
      found,
    ).toContain(expected.outcome);
  if (expected.says !== undefined)
    expect(chain.map((each: { text: string }) => each.text).join('\n'), found).toMatch(expected.says);
  expect(answer.heldBy).toBe(expected.heldBy ?? null);
  expect(answer.headline).not.toBe('');
  expect(next.length).toBeLessThanOrEqual(3);
  for (const { action, url, input } of next) {
    if (action !== 'none') expect(operationRegistry.has(action), action).toBe(true);
    if (url !== null) expect(url).toContain(`/p/${kit.projectId}/`);
    expect(JSON.stringify(input)).not.toMatch(lifting);
  }
  const times = chain.map(({ at }: { at: string | null }) =>
    at === null ? Number.POSITIVE_INFINITY : Date.parse(at),
  );
  expect(times).toEqual(
    times.toSorted((one: number, other: number) => (one < other ? -1 : one > other ? 1 : 0)),
  );
  const inRest = withoutTimes(answer);
  expect(withoutTimes(await askGraphql(test, kit, question))).toEqual(inRest);
  expect(withoutTimes(await askTrpc(test, kit, question))).toEqual(inRest);
  expect(withoutTimes(await askMcp(test, kit, question))).toEqual(inRest);
}
