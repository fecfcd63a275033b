import { describe, expect, it } from 'vitest';
import { publicBaseOf } from './s3-address.ts';

describe('the public address of an object begins with', () => {
  const plain = { bucket: 'images', forcePathStyle: false };
  it.each([
    ['the bucket in its region', { region: 'eu-central-1' }, 'https://images.s3.eu-central-1.amazonaws.com'],
    [
      'the bucket in a region of China',
      { region: 'cn-north-1' },
      'https://images.s3.cn-north-1.amazonaws.com.cn',
    ],
    ['the bucket at the global host, without a region', {}, 'https://images.s3.amazonaws.com'],
    [
      'the endpoint with the bucket as a sub-domain',
      { endpoint: 'https://s3.example' },
      'https://images.s3.example',
    ],
    ['the endpoint with its port', { endpoint: 'http://s3.example:9000' }, 'http://images.s3.example:9000'],
    [
      'the endpoint with the bucket as a path, if that is asked for',
      { endpoint: 'http://127.0.0.1:9000', forcePathStyle: true },
      'http://127.0.0.1:9000/images',
    ],
    [
      'the path of an endpoint',
      { endpoint: 'https://s3.example/store', forcePathStyle: true },
      'https://s3.example/store/images',
    ],
    [
      'a path, when the certificate would not cover the name of the bucket',
      { bucket: 'img.example.com', region: 'eu-west-1' },
      'https://s3.eu-west-1.amazonaws.com/img.example.com',
    ],
    [
      'S3_PUBLIC_URL, whatever else is set',
      { endpoint: 'https://s3.example', forcePathStyle: true, publicUrl: 'https://cdn.example/mail' },
      'https://cdn.example/mail',
    ],
  ])('%s', (_name, location, base) => {
    expect(publicBaseOf({ ...plain, ...location })).toBe(base);
  });
});
