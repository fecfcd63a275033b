/** Signs on every core, as `openssl speed rsa2048` does; Node's threads call the same library. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { answerParent } from '@postrider/harness/answering-process';

const signOnThread = promisify<string, Buffer, KeyObject, Buffer>(sign);
const warmUpMs = 300;
const measuredMs = 2_000;
/** About as long as the header fields that a signature covers. */
const data = Buffer.alloc(600, 'h');

answerParent<{ threads: number }>(async ({ threads }) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let signed = 0;
  const from = performance.now() + warmUpMs;
  const until = from + measuredMs;
  const work = async (): Promise<void> => {
    while (performance.now() < until) {
      await signOnThread('sha256', data, privateKey);
      if (performance.now() >= from) signed += 1;
    }
  };
  await Promise.all(Array.from({ length: threads * 2 }, work));
  return (signed * 1_000) / measuredMs;
});
