import type { S3Client } from '@aws-sdk/client-s3';
import { type FileStorage, fileCacheControl } from '../../base/kernel/ports/file-storage.ts';
import { publicBaseOf, type S3Location } from './s3-address.ts';

export interface S3Options extends S3Location {
  /** unset: the credentials are found as the AWS SDK usually does (environment, profile, role of the machine) */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
}

/** An upload waits no longer than this for a connection, and for each answer. */
const connectionTimeoutMs = 5_000;
const requestTimeoutMs = 30_000;

/** The region that S3 is asked in when none is configured; its redirects lead to buckets of other regions. */
const defaultRegion = 'us-east-1';

/**
 * Files as objects of a bucket of S3, or of a service that speaks its protocol. Clients fetch them from the bucket, so its policy must
 * allow everyone to read them. The SDK is loaded with the first file, because most processes never store one.
 */
export function createS3Files(options: S3Options): FileStorage & { close(): Promise<void> } {
  const { bucket } = options;
  const base = publicBaseOf(options);
  let loaded: Promise<{ sdk: typeof import('@aws-sdk/client-s3'); client: S3Client }> | null = null;
  const load = () => {
    loaded ??= connect(options);
    return loaded;
  };
  return {
    async put(key, bytes, contentType) {
      const { sdk, client } = await load();
      await client.send(
        new sdk.PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: bytes,
          ContentType: contentType,
          CacheControl: fileCacheControl,
        }),
      );
    },
    isLow: () => Promise.resolve(false),
    open: () => Promise.resolve(null),
    urlOf: (key) => `${base}/${key}`,
    async remove(key) {
      const { sdk, client } = await load();
      await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
    async close() {
      const used = await loaded;
      used?.client.destroy();
    },
  };
}

export async function connect({ region, endpoint, forcePathStyle, credentials }: S3Options) {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region: region ?? defaultRegion,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
    forcePathStyle,
    followRegionRedirects: region === undefined,
    // The signature covers the bytes. Further checksums are unknown to many services that speak the protocol.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectionTimeoutMs, requestTimeout: requestTimeoutMs },
  });
  return { sdk, client };
}
