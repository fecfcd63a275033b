import type { ImageKind } from './image-kind.rules.ts';

export interface ImageSize {
  width: number;
  height: number;
}

/** Width and height in pixels, from the head of an image; null if it is cut short or malformed. */
export function imageSizeOf(kind: ImageKind, bytes: Buffer): ImageSize | null {
  try {
    const size = readers[kind](bytes);
    return size && size.width > 0 && size.height > 0 ? size : null;
  } catch (error) {
    // Reading past the end: there is no complete head.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const readers: Record<ImageKind, (bytes: Buffer) => ImageSize | null> = {
  // PNG 11.2.1: IHDR is the first chunk.
  'image/png': (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  // GIF89a 18: the logical screen.
  'image/gif': (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
};

/** Start-of-frame markers (ITU-T T.81 B.1.1.3): C0 to CF without the tables C4, CC and the reserved C8. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Markers without a length: fill bytes, TEM and restarts. */
const isAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

function jpegSize(bytes: Buffer): ImageSize | null {
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
    } else if (isAlone(marker)) {
      at += 2;
    } else if (isFrame(marker)) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    } else {
      at += 2 + bytes.readUInt16BE(at + 2);
    }
  }
}

/** RFC 9649 2.5 to 2.7: the extended header, lossless or lossy data. */
function webpSize(bytes: Buffer): ImageSize | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return null;
  }
}
