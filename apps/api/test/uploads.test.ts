import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

let test: TestApp;
let key: Send;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'uploads-'));
  test = await startApp({ DATA_DIR: dataDir, API_URL: 'https://api.example.com' });
  key = test.withKey(test.project.secretKey);
});
afterAll(async () => {
  await test.close();
  await rm(dataDir, { recursive: true });
});

function upload(bytes: Buffer, { field = 'image', type = 'image/gif', send = key } = {}) {
  const head = `--edge\r\nContent-Disposition: form-data; name="${field}"; filename="logo.gif"\r\nContent-Type: ${type}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--edge--\r\n')]);
  return send('POST', '/uploads/image', body, { 'content-type': 'multipart/form-data; boundary=edge' });
}

it('201: the image is public, cached for ever, and cannot run scripts', async () => {
  const { status, body } = await upload(gif);
  expect(status).toBe(201);
  expect(body).toEqual({
    url: expect.stringMatching(/^https:\/\/api\.example\.com\/uploads\/[0-9a-f]{32}\.gif$/),
    key: body.url.split('/').at(-1),
    filename: 'logo.gif',
    contentType: 'image/gif',
    size: gif.length,
  });
  const image = await test.app.inject({ url: new URL(body.url).pathname });
  expect(image.statusCode).toBe(200);
  expect(image.rawPayload).toEqual(gif);
  expect(image.headers).toMatchObject({
    'content-type': 'image/gif',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
});

it('201: with a session, through tRPC and through GraphQL', async () => {
  expect((await upload(gif, { send: await test.withSession() })).status).toBe(201);
  const session = await test.withSession();
  const image = gif.toString('base64');
  expect((await session('POST', '/trpc/uploads.image', { image })).status).toBe(200);
  const query = 'mutation ($input: UploadImageInput!) { uploadImage(input: $input) { contentType } }';
  const { body } = await key('POST', '/graphql', { query, variables: { input: { image } } });
  expect(body.data).toEqual({ uploadImage: { contentType: 'image/gif' } });
});

describe('is refused', () => {
  it.each([
    ['an SVG', () => upload(Buffer.from('<svg/>'), { type: 'image/svg+xml' })],
    ['a body that is no form', () => key('POST', '/uploads/image', { image: 'x' })],
  ])('400 BAD_REQUEST: %s', async (_name, send) => {
    const answer = await send();
    expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_REQUEST']);
  });

  it('422: a file in another field', async () => {
    const answer = await upload(gif, { field: 'file' });
    expect([answer.status, answer.body.error.errors[0].field]).toEqual([422, 'file']);
  });

  it('413: an image of more than 10 MB', async () => {
    const answer = await upload(Buffer.concat([gif, Buffer.alloc(10 * 1_048_576)]));
    expect([answer.status, codeOf(answer)]).toEqual([413, 'INVALID_REQUEST_BODY']);
  });

  it('401 without a key', async () => {
    expect((await upload(gif, { send: test.anyone })).status).toBe(401);
  });
});

it('201: with S3_BUCKET the image is stored in the bucket, and /config says so', async () => {
  const stored: string[] = [];
  const bucket = createServer((request, response) => {
    stored.push(`${request.method} ${request.url?.split('?')[0]}`);
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve));
  const inBucket = await startApp({
    S3_BUCKET: 'images',
    S3_ENDPOINT: `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`,
    S3_FORCE_PATH_STYLE: 'true',
    S3_PUBLIC_URL: 'https://cdn.example.com',
    S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    S3_SECRET_ACCESS_KEY: 'secret',
  });
  try {
    const { status, body } = await upload(gif, { send: inBucket.withKey(inBucket.project.secretKey) });
    expect([status, body.url]).toEqual([201, `https://cdn.example.com/${body.key}`]);
    expect(stored).toEqual([`PUT /images/${body.key}`]);
    for (const [app, s3Enabled] of [
      [inBucket, true],
      [test, false],
    ] as const)
      expect((await app.anyone('GET', '/config')).body.features.storage).toEqual({ s3Enabled });
  } finally {
    await inBucket.close();
    bucket.closeAllConnections();
    bucket.close();
  }
});

it('404: an unknown image', async () => {
  for (const path of [`/uploads/${'a'.repeat(32)}.gif`, '/uploads/..%2f..%2fpackage.json', '/uploads/x']) {
    expect((await test.app.inject({ url: path })).statusCode).toBe(404);
  }
});
