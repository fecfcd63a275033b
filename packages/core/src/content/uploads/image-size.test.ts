import { describe, expect, it } from 'vitest';
import { imageSizeOf } from './image-size.rules.ts';

const bytes = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** Heads of images of 3 by 2 pixels, as encoders write them. */
const heads = {
  png: bytes('89504e470d0a1a0a 0000000d49484452 00000003 00000002 0802000000'),
  gif: bytes('474946383961 0300 0200 800000'),
  jpeg: bytes('ffd8 ffe0 0010 4a46494600010100000100010000 ffc4 0004 0000 ffc2 000b 08 0002 0003 01 011100'),
  filled: bytes('ffd8 ffff ffc0 000b 08 0002 0003 01 011100'),
  lossy: bytes('52494646 1a000000 57454250 56503820 0e000000 300100 9d012a 0300 0200'),
  lossless: bytes('52494646 1a000000 57454250 5650384c 0e000000 2f 02400000'),
  extended: bytes('52494646 1a000000 57454250 56503858 0a000000 00000000 020000 010000'),
};

describe('the size of an image', () => {
  it.each([
    ['PNG', 'image/png', heads.png],
    ['GIF', 'image/gif', heads.gif],
    ['progressive JPEG with tables before its frame', 'image/jpeg', heads.jpeg],
    ['JPEG with fill bytes', 'image/jpeg', heads.filled],
    ['lossy WebP', 'image/webp', heads.lossy],
    ['lossless WebP', 'image/webp', heads.lossless],
    ['extended WebP', 'image/webp', heads.extended],
  ] as const)('is read from a %s', (_name, kind, image) => {
    expect(imageSizeOf(kind, image)).toEqual({ width: 3, height: 2 });
  });

  it.each([
    ['cut short', 'image/png', heads.png.subarray(0, 18)],
    ['of no pixels', 'image/gif', bytes('474946383961 0000 0000 800000')],
    ['without a frame', 'image/jpeg', bytes('ffd8 ffe0 0004 0000')],
    ['with rubbish between its segments', 'image/jpeg', bytes('ffd8 ffe0 0004 0000 1234 5678')],
    ['of an unknown form', 'image/webp', bytes('52494646 1a000000 57454250 41424344 0000000000000000')],
  ] as const)('is unknown if the image is %s', (_name, kind, image) => {
    expect(imageSizeOf(kind, image)).toBeNull();
  });
});
