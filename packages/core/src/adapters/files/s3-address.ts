/** Where the objects of a bucket are. */
export interface S3Location {
  bucket: string;
  /** unset: found by S3 itself */
  region?: string | undefined;
  /** of a service that speaks the protocol of S3; unset: Amazon S3 */
  endpoint?: string | undefined;
  /** `https://endpoint/bucket/key` instead of `https://bucket.endpoint/key` */
  forcePathStyle: boolean;
  /** where the bucket is published, such as a CDN; unset: the address of the bucket */
  publicUrl?: string | undefined;
}

/** The public address under which objects are found by their key, without a slash at its end. */
export function publicBaseOf({ bucket, region, endpoint, forcePathStyle, publicUrl }: S3Location): string {
  if (publicUrl !== undefined) return publicUrl;
  const url = new URL(endpoint ?? `https://${amazonHost(region)}`);
  const path = url.pathname.replace(/\/+$/, '');
  // A certificate for *.host does not cover a bucket name with dots.
  const pathStyle = forcePathStyle || (url.protocol === 'https:' && bucket.includes('.'));
  return pathStyle ? `${url.origin}${path}/${bucket}` : `${url.protocol}//${bucket}.${url.host}${path}`;
}

function amazonHost(region: string | undefined): string {
  if (region === undefined) return 's3.amazonaws.com';
  return `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}
