import { connect, type S3Options } from './s3-files.ts';

/** @returns why the bucket does not answer to these credentials; null if it does. Nothing is stored. */
export async function inspectBucket(options: S3Options): Promise<string | null> {
  const { sdk, client } = await connect(options);
  try {
    await client.send(new sdk.HeadBucketCommand({ Bucket: options.bucket }));
    return null;
  } catch (error) {
    const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    // The answer to HEAD has no text.
    return $metadata?.httpStatusCode ? `${$metadata.httpStatusCode} ${name}` : message || name;
  } finally {
    client.destroy();
  }
}
