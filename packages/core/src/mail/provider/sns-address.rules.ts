/** A region such as `eu-central-1`. Stricter than a host label: `sns.s3.amazonaws.com` is a bucket of S3. */
const host = /^sns\.[a-z]{2}(-[a-z]+)+-\d{1,2}\.amazonaws\.com(\.cn)?$/;

/** Whether a URL leads to Amazon SNS itself: https, the host of a region, the usual port, no login. */
export function isSnsAddress(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    url.protocol === 'https:' &&
    host.test(url.hostname) &&
    url.port === '' &&
    url.username === '' &&
    url.password === ''
  );
}

/** Whether a URL is one of the files in which Amazon SNS publishes its signing certificates. */
export const isSnsCertificateAddress = (text: string): boolean =>
  isSnsAddress(text) && /^\/[\w.-]+\.pem$/.test(new URL(text).pathname) && new URL(text).search === '';
