import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { deleteUpload, imageLimitBytes, listUploads, servedImage, uploadImage } from './index.ts';

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const png = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1');
const jpeg = Buffer.from('\xff\xd8\xff\xe0JFIF', 'latin1');
const webp = Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 ', 'latin1');
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

let test: TestServices;
let project: TestProject;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'uploads-'));
  test = await createTestServices({ env: { DATA_DIR: dataDir, API_URL: 'https://api.example.com' } });
  project = await createTestProject(test.services);
});
afterAll(async () => {
  await test.close();
  await rm(dataDir, { recursive: true });
});

const stored = () => readdir(join(dataDir, 'uploads')).catch(() => []);

describe('an image', () => {
  it.each([
    ['image/gif', 'gif', gif],
    ['image/png', 'png', png],
    ['image/jpeg', 'jpg', jpeg],
    ['image/webp', 'webp', webp],
  ])('of type %s is stored under a random key and served as it is', async (contentType, extension, image) => {
    const uploaded = await uploadImage.run(project.ctx, {
      image,
      filename: `my logo.${extension}`,
      contentType,
    });
    expect(uploaded).toEqual({
      url: `https://api.example.com/uploads/${uploaded.key}`,
      key: expect.stringMatching(new RegExp(`^[0-9a-f]{32}\\.${extension}$`)),
      filename: `my logo.${extension}`,
      contentType,
      size: image.length,
    });
    const served = await servedImage(test.services, uploaded.key);
    expect(served?.contentType).toBe(contentType);
    expect(served && (await buffer(served.bytes))).toEqual(image);
  });

  it('has the type of its content, not the declared one', async () => {
    const uploaded = await uploadImage.run(project.ctx, { image: gif, contentType: 'image/png' });
    expect(uploaded).toMatchObject({ contentType: 'image/gif', key: expect.stringMatching(/\.gif$/) });
  });

  it('can be sent in base64', async () => {
    const uploaded = await uploadImage.runRaw(project.ctx, { image: gif.toString('base64') });
    expect(uploaded.size).toBe(gif.length);
  });
});

describe('400 BAD_REQUEST, and nothing is stored', () => {
  it.each([
    ['no image', {}],
    ['an empty one', { image: Buffer.alloc(0) }],
    ['an SVG', { image: svg, contentType: 'image/svg+xml' }],
    ['an SVG that is declared as PNG', { image: svg, contentType: 'image/png' }],
    ['a PNG that is declared as HTML', { image: png, contentType: 'text/html' }],
    ['a text', { image: Buffer.from('hello') }],
  ])('for %s', async (_name, input) => {
    const before = await stored();
    await expect(uploadImage.run(project.ctx, input)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await stored()).toEqual(before);
  });
});

it('413: more than 10 MB', async () => {
  const image = Buffer.concat([gif, Buffer.alloc(imageLimitBytes)]);
  await expect(uploadImage.run(project.ctx, { image })).rejects.toMatchObject({
    code: 'INVALID_REQUEST_BODY',
    kind: 'too_large',
  });
});

it.each(['../../etc/passwd', '..%2f.env', 'x.png/../x.png', `${'a'.repeat(32)}.svg`, '.png', ''])(
  'nothing is served for the key %j',
  async (key) => {
    expect(await servedImage(test.services, key)).toBeNull();
  },
);

describe('the list of images', () => {
  it('shows them newest first with address and size, page by page', async () => {
    const own = await createTestProject(test.services);
    const logo = await uploadImage.run(own.ctx, { image: gif, filename: 'logo.gif' });
    const shoes = await uploadImage.run(own.ctx, { image: jpeg, filename: 'shoes.jpg' });
    const first = await listUploads.run(own.ctx, { limit: 1 });
    expect(first).toMatchObject({ hasMore: true, total: 2 });
    expect(first.data).toEqual([
      { ...shoes, id: expect.any(String), width: null, height: null, createdAt: expect.any(String) },
    ]);
    const { data } = await listUploads.run(own.ctx, { limit: 1, cursor: first.cursor ?? '' });
    expect(data).toEqual([expect.objectContaining({ ...logo, width: 1, height: 1 })]);
  });

  it('can be searched by a part of the name, literally', async () => {
    const own = await createTestProject(test.services);
    for (const filename of ['Logo dark.gif', '100% wool.gif'])
      await uploadImage.run(own.ctx, { image: gif, filename });
    const names = async (search: string) =>
      (await listUploads.run(own.ctx, { search })).data.map(({ filename }) => filename);
    expect(await names('logo')).toEqual(['Logo dark.gif']);
    expect(await names('%')).toEqual(['100% wool.gif']);
    expect(await names('_')).toEqual([]);
  });

  it('has nothing of another project', async () => {
    await uploadImage.run(project.ctx, { image: gif });
    const other = await createTestProject(test.services);
    expect(await listUploads.run(other.ctx, {})).toMatchObject({ data: [], total: 0 });
  });
});

describe('deleting an image', () => {
  it('removes it from the list and from the storage', async () => {
    const own = await createTestProject(test.services);
    const { key } = await uploadImage.run(own.ctx, { image: gif });
    const [image] = (await listUploads.run(own.ctx, {})).data;
    await deleteUpload.run(own.ctx, { id: image?.id ?? '' });
    expect((await listUploads.run(own.ctx, {})).data).toEqual([]);
    expect(await stored()).not.toContain(key);
    await expect(deleteUpload.run(own.ctx, { id: image?.id ?? '' })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
  });

  it('404: an image of another project, which stays', async () => {
    const own = await createTestProject(test.services);
    const { key } = await uploadImage.run(own.ctx, { image: gif });
    const [image] = (await listUploads.run(own.ctx, {})).data;
    await expect(deleteUpload.run(project.ctx, { id: image?.id ?? '' })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    expect(await stored()).toContain(key);
  });
});
