import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../base/kernel/config.ts';
import { createFiles } from './create-files.ts';
import { createLocalFiles } from './local-files.ts';
import { startS3Server } from './s3-server.fixture.ts';

const key = `${'a'.repeat(32)}.gif`;
const bytes = Buffer.from('GIF89a and more');

let server: Awaited<ReturnType<typeof startS3Server>>;
let dataDir: string;
beforeAll(async () => {
  server = await startS3Server();
  dataDir = await mkdtemp(join(tmpdir(), 's3-'));
});
beforeEach(() => {
  server.requests.length = 0;
  server.answers.length = 0;
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true });
});

const files = (env: Record<string, string> = {}) =>
  createFiles(
    readConfig({
      DATABASE_URL: 'postgres://localhost/unused',
      APP_SECRET: 'x'.repeat(32),
      DATA_DIR: dataDir,
      S3_BUCKET: 'images',
      S3_ENDPOINT: server.url,
      S3_FORCE_PATH_STYLE: 'true',
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      S3_SECRET_ACCESS_KEY: 'secret',
      ...env,
    }),
  );

describe('a stored file', () => {
  it('is one signed request with its bytes, its type and headers that let it be cached for ever', async () => {
    const s3 = files();
    await s3.put(key, bytes, 'image/gif');
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    expect(request).toMatchObject({
      method: 'PUT',
      path: expect.stringMatching(new RegExp(`^/images/${key}(\\?|$)`)),
      body: bytes,
      headers: {
        'content-type': 'image/gif',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex'),
      },
    });
    expect(request?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/s3\/aws4_request, SignedHeaders=\S*;host;x-amz-content-sha256;\S+, Signature=[0-9a-f]{64}$/,
    );
    await s3.close();
  });

  it('has its public address in the bucket, or below S3_PUBLIC_URL', () => {
    expect(files().urlOf(key)).toBe(`${server.url}/images/${key}`);
    expect(files({ S3_PUBLIC_URL: 'https://cdn.example/' }).urlOf(key)).toBe(`https://cdn.example/${key}`);
  });

  it('is removed by one signed request', async () => {
    const s3 = files();
    await s3.remove(key);
    expect(server.requests).toMatchObject([
      { method: 'DELETE', headers: { authorization: expect.stringContaining('Signature=') } },
    ]);
    await s3.close();
  });

  it('is not served by the api', async () => {
    expect(await files().open(key)).toBeNull();
  });
});

it('a refusal of S3 is an error with its code', async () => {
  server.answers.push({
    status: 403,
    body: '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
  });
  const s3 = files();
  await expect(s3.put(key, bytes, 'image/gif')).rejects.toMatchObject({ name: 'AccessDenied' });
  await s3.close();
});

it('an answer that another attempt may mend is followed by another attempt', async () => {
  server.answers.push({ status: 503, body: '<Error><Code>SlowDown</Code></Error>' });
  const s3 = files();
  await s3.put(key, bytes, 'image/gif');
  expect(server.requests.map(({ body }) => body)).toEqual([bytes, bytes]);
  await s3.close();
});

it('a file that was stored on disk before S3 is still served', async () => {
  const local = createLocalFiles({ folder: join(dataDir, 'uploads'), apiUrl: 'https://api.example.com' });
  await local.put(key, bytes, 'image/gif');
  const found = await files().open(key);
  expect(found && (await buffer(found))).toEqual(bytes);
});
