import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createDkimSigner, type MessageContent, prepareMessage } from './index.ts';
import { makeContent, makeRecipient, testLinks } from './prepare-message.fixtures.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signer = createDkimSigner({ domain: 'shop.example', selector: 'pr1', privateKey });
const isInstalled = spawnSync('spamassassin', ['--version']).status === 0;

async function compose(content: Partial<MessageContent>): Promise<Buffer> {
  const recipient = makeRecipient({ name: 'Zoë' }, { toName: 'Zoë Müller' });
  const [message] = await prepareMessage(makeContent(content), testLinks).composeAll([recipient], { signer });
  return message?.mime ?? Buffer.alloc(0);
}

/** What the local rules of SpamAssassin (`-L`: no network tests) say: its score, and the rules that add to it. */
async function judge(mime: Buffer): Promise<{ score: number; against: string[] }> {
  const checker = spawn('spamassassin', ['-L', '-t'], { stdio: ['pipe', 'pipe', 'ignore'] });
  checker.stdin.end(mime);
  const report = (await text(checker.stdout)).split('Content analysis details:').at(-1) ?? '';
  const score = Number(/\((-?[\d.]+) points/.exec(report)?.[1]);
  const against = [...report.matchAll(/^ *([\d.]+) ([A-Z][A-Z\d_]+) /gm)];
  return { score, against: against.flatMap(([, points, rule = '']) => (Number(points) > 0 ? [rule] : [])) };
}

const paragraph =
  '<p>Our garden shop has new pots in three sizes, seeds for early spring, and a course about roses on the first Saturday of May. ' +
  'Members bring a friend without charge. <a href="https://shop.example/course">Read about the course</a></p>';

const receipt = {
  subject: 'Your receipt 4711',
  body: '<p>Hello {{name}},</p><p>thank you for your order of 12 May.</p><p>Flower pot, 2 pieces: 23.90 EUR</p><p>If anything is wrong, reply to this email.</p>',
};

describe.runIf(isInstalled)('SpamAssassin', () => {
  it('a receipt without tracking scores 0', async () => {
    const { score, against } = await judge(await compose({ ...receipt, type: 'TRANSACTIONAL' }));
    expect({ score: Math.abs(score), against }).toEqual({ score: 0, against: [] });
  });

  it.each(['MARKETING', 'HEADLESS', 'TRANSACTIONAL'] as const)(
    'a tracked newsletter of class %s scores below 1.5',
    async (type) => {
      const mime = await compose({
        type,
        sourceType: 'CAMPAIGN',
        tracking: true,
        subject: 'News of the garden shop for {{name}}',
        body: `<h1>Spring in the garden shop</h1>${paragraph.repeat(16)}`,
      });
      expect((await judge(mime)).score).toBeLessThan(1.5);
    },
  );

  // Any image beside little text scores, and the image that records opens is one.
  it('a short tracked email scores only for the image that records opens', async () => {
    const mime = await compose({ ...receipt, type: 'TRANSACTIONAL', tracking: true });
    expect((await judge(mime)).against).toEqual([expect.stringMatching(/^HTML_IMAGE_ONLY_\d+$/)]);
  });
});
