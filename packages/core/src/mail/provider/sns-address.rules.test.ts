import { describe, expect, it } from 'vitest';
import { isSnsAddress, isSnsCertificateAddress } from './sns-address.rules.ts';

describe('an address of Amazon SNS', () => {
  it.each([
    'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-abc.pem',
    'https://sns.us-gov-west-1.amazonaws.com/cert.pem',
    'https://sns.cn-north-1.amazonaws.com.cn/cert.pem',
    'https://SNS.eu-central-1.amazonaws.com:443/cert.pem',
  ])('%s', (url) => {
    expect(isSnsCertificateAddress(url)).toBe(true);
  });

  it.each([
    'http://sns.eu-central-1.amazonaws.com/cert.pem',
    'https://sns.eu-central-1.amazonaws.com.evil.example/cert.pem',
    'https://evil.example/sns.eu-central-1.amazonaws.com/cert.pem',
    'https://sns.eu-central-1.amazonaws.com@evil.example/cert.pem',
    'https://user:password@sns.eu-central-1.amazonaws.com/cert.pem',
    'https://sns.eu-central-1.amazonaws.com:8443/cert.pem',
    'https://sns.amazonaws.com/cert.pem',
    'https://xsns.eu-central-1.amazonaws.com/cert.pem',
    'https://sns.eu-central-1.amazonaws.org/cert.pem',
    'https://sns.eu-central-1.amazonaws.com.uk/cert.pem',
    // Buckets of S3 that are named `sns`, which anyone may have created.
    'https://sns.s3.amazonaws.com/cert.pem',
    'https://sns.s3-us-west-2.amazonaws.com/cert.pem',
    'https://sns.s3.eu-central-1.amazonaws.com/cert.pem',
    'https://sns-eu-central-1.amazonaws.com/cert.pem',
    'file:///cert.pem',
    'cert.pem',
    '',
  ])('is not %s', (url) => {
    expect(isSnsAddress(url)).toBe(false);
    expect(isSnsCertificateAddress(url)).toBe(false);
  });
});

it.each([
  'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription',
  'https://sns.eu-central-1.amazonaws.com/?x=.pem',
  'https://sns.eu-central-1.amazonaws.com/cert.pem?x=1',
  'https://sns.eu-central-1.amazonaws.com/a/b.pem',
])('%s can confirm a subscription, but is no certificate', (url) => {
  expect(isSnsAddress(url)).toBe(true);
  expect(isSnsCertificateAddress(url)).toBe(false);
});
