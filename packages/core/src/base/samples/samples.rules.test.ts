import { describe, expect, it } from 'vitest';
import { goSample, phpSample, pythonSample, rubySample, type SampleRequest } from './contract.ts';

const writers = { goSample, phpSample, pythonSample, rubySample };

const request = (more: Partial<SampleRequest>): SampleRequest => ({
  method: 'POST',
  baseUrl: 'https://mail.example.com',
  target: '/v1/send',
  credential: 'secret',
  json: { to: 'ann@example.com', subject: 'Hello' },
  form: null,
  ...more,
});

describe.each(Object.entries(writers))('%s', (_name, write) => {
  it('reads the key from the environment', () => {
    const text = write(request({}));
    expect(text).toContain('POSTRIDER_API_KEY');
    expect(text).toContain('https://mail.example.com/v1/send');
  });

  it('has the key of who may see it, and reads nothing then', () => {
    const text = write(request({ key: 'sk_0123' }));
    expect(text).toContain('Bearer sk_0123');
    expect(text).not.toMatch(/POSTRIDER_API_KEY|getenv|ENV\.|os\.environ|Getenv|"os"|import os/);
  });

  it('a text with quotes stays a text', () => {
    const text = write(request({ json: { subject: `it's "so" \\ ok` } }));
    expect(text).not.toContain(`'it's`);
    expect(text).not.toContain(`""so`);
  });
});
