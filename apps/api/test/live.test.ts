import { newId } from '@postrider/core/base/lib';
import { createTestProject } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from './harness.ts';

/** What changes in a project, as the browser's event source reads it. */
let test: TestApp;
let url: string;
beforeAll(async () => {
  test = await startApp();
  url = `${await test.app.listen({ port: 0, host: '127.0.0.1' })}/trpc/live.changes`;
});
afterAll(() => test.close());

const db = () => test.services.database.prisma;
const listeners = () => db().liveListener.count({ where: { projectId: test.project.id } });

async function open(projectId = test.project.id) {
  const { cookie = '' } = (await test.sessionHeaders()) as Record<string, string>;
  const ending = new AbortController();
  const params = encodeURIComponent(JSON.stringify({ projectId }));
  const response = await fetch(`${url}?connectionParams=${params}`, {
    headers: { cookie, accept: 'text/event-stream' },
    signal: ending.signal,
  });
  return { response, end: () => ending.abort() };
}

/** The topics of the stream, as they arrive. */
async function* topicsOf(response: Response): AsyncGenerator<string[]> {
  let text = '';
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString();
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (!block.includes('event:') && data) yield JSON.parse(data) as string[];
    }
  }
}

async function makeCampaign(projectId = test.project.id): Promise<string> {
  const id = newId();
  await db().campaign.create({
    data: {
      ...{ id, projectId, name: 'News', subject: 'News', body: '<p>News</p>', from: 'a@news.test' },
      ...{ audienceType: 'ALL', status: 'SENDING', totalRecipients: 10 },
    },
  });
  await db().campaignCounter.create({ data: { campaignId: id, projectId } });
  return id;
}

describe('live.changes', () => {
  it('names what changed in the project, and not what changed in another', async () => {
    const { response, end } = await open();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    // When the process stops, the stream ends, and the next one begins on another connection.
    expect(response.headers.get('connection')).toBe('close');
    const topics = topicsOf(response);
    const everything = (await topics.next()).value;
    expect(everything).toContain('campaigns');
    // Everything may have changed once more, when the process has only begun to listen.
    const next = async () => {
      const { value } = await topics.next();
      return value?.length === everything?.length ? (await topics.next()).value : value;
    };
    const other = await createTestProject(test.services);
    await makeCampaign(other.id);
    await db().event.create({ data: { id: newId(), projectId: other.id, name: 'seen' } });
    const id = await makeCampaign();
    expect(await next()).toEqual(['campaigns']);
    await db().campaignCounter.update({ where: { campaignId: id }, data: { sentCount: 3 } });
    expect(await next()).toEqual(['campaigns']);
    await db().event.create({ data: { id: newId(), projectId: test.project.id, name: 'seen' } });
    expect(await next()).toEqual(['activity']);
    await db().campaign.delete({ where: { id } });
    expect(await next()).toEqual(['campaigns']);
    end();
    await expect.poll(() => listeners()).toBe(0);
  });

  it('continues after the database ended its connection and lost who listens, beginning with all topics', async () => {
    const { response, end } = await open();
    const topics = topicsOf(response);
    await topics.next();
    await db().liveListener.deleteMany();
    const ended = await db().$queryRaw<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND query ILIKE 'LISTEN %postrider_live%' AND pg_terminate_backend(pid)`;
    expect(ended).toHaveLength(1);
    const again = (await topics.next()).value;
    expect(again).toEqual(expect.arrayContaining(['campaigns', 'emails', 'workflows']));
    await makeCampaign();
    expect((await topics.next()).value).toEqual(['campaigns']);
    end();
  });

  it('is refused for a project of others', async () => {
    const other = await createTestProject(test.services);
    const { response } = await open(other.id);
    // tRPC reports failures of a subscription in the stream, since an event source cannot read the body of another status.
    expect(await response.text()).toMatch(/event: serialized-error\ndata: .*"code":"PROJECT_ACCESS_DENIED"/);
  });
});
