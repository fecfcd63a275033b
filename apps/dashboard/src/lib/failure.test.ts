import { defaultSuggestions, errorCodes, repeatSoon } from '@postrider/core/base/kernel/contract';
import { describe, expect, it } from 'vitest';
import {
  atField,
  failureOf,
  failureOfEnvelope,
  isFinal,
  isSessionEnd,
  passesSoon,
  RestError,
} from './failure.ts';

type ErrorCode = keyof typeof errorCodes;

const envelope = (code: string, errors?: { field: string; message: string }[]) => ({
  success: false,
  error: { code, message: 'Request validation failed', requestId: 'r1', suggestion: 'Correct it', errors },
});

describe('a failure', () => {
  it('lists each field once, with its first message', () => {
    const errors = [
      { field: 'email', message: 'Required' },
      { field: 'email', message: 'Invalid' },
      { field: 'name', message: 'Too long' },
    ];
    expect(failureOfEnvelope(envelope('VALIDATION_ERROR', errors)).fields).toEqual({
      email: 'Required',
      name: 'Too long',
    });
  });

  it('about the sender is moved to its field, although the API names none', () => {
    const refusal = failureOfEnvelope({
      error: {
        code: 'INTERNAL_SERVER_ERROR',
        statusCode: 403,
        message: 'The sender domain a.example is not verified for this project',
      },
    });
    expect(Object.keys(atField(refusal).fields)).toEqual(['from']);
    const other = failureOfEnvelope(envelope('INTERNAL_SERVER_ERROR'));
    expect(atField(other)).toBe(other);
  });

  it('in source code states its position at the field', () => {
    const body = envelope('VALIDATION_ERROR', [{ field: 'body', message: 'tag if not closed' }]);
    const details = { field: 'body', line: 3, column: 7 };
    expect(failureOfEnvelope({ ...body, error: { ...body.error, details } })).toMatchObject({
      fields: { body: 'tag if not closed (line 3, column 7)' },
      position: details,
    });
  });

  it('that is only a sentence uses that sentence as its message', () => {
    expect(failureOfEnvelope({ error: 'No file' })).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'No file',
    });
  });

  it('passes soon only where the API says so', () => {
    const { error } = envelope('CONFLICT');
    const said = (suggestion: string) =>
      new RestError(failureOfEnvelope({ error: { ...error, suggestion } }));
    expect(passesSoon(said(repeatSoon))).toBe(true);
    expect(passesSoon(said(defaultSuggestions.conflict))).toBe(false);
  });

  it('that is not a response of the API counts as unreachable and is retried', () => {
    expect(failureOfEnvelope('<h1>502 Bad Gateway</h1>').code).toBe('UNREACHABLE');
    expect(isFinal(new TypeError('Failed to fetch'))).toBe(false);
  });

  it('ends the session only if the session is missing or invalid', () => {
    const error = (code: string) => new RestError(failureOfEnvelope(envelope(code)));
    expect(isSessionEnd(error('UNAUTHORIZED'))).toBe(true);
    expect(isSessionEnd(error('INVALID_CREDENTIALS'))).toBe(false);
    expect(failureOf(error('FORBIDDEN'))).toMatchObject({
      code: 'FORBIDDEN',
      requestId: 'r1',
      suggestion: 'Correct it',
    });
  });
});

describe('a suggestion', () => {
  const suggested = (code: ErrorCode, suggestion?: string) =>
    failureOfEnvelope({ error: { code, message: 'No', suggestion } }).suggestion;

  it.each<[ErrorCode, RegExp]>([
    ['CONFLICT', /Reload the page/],
    ['FORBIDDEN', /Ask an owner or admin/],
    ['CAMPAIGN_NOT_FOUND', /may have been deleted/],
    ['MISSING_AUTH', /^Log in again/],
    ['VALIDATION_ERROR', /marked fields/],
    ['RATE_LIMIT_EXCEEDED', /^Wait a minute/],
  ])('of the API to those who write requests is put into words for the dashboard: %s', (code, words) => {
    expect(suggested(code, defaultSuggestions[errorCodes[code]])).toMatch(words);
    expect(suggested(code)).toMatch(words);
  });

  it('about the very failure stays as it is', () => {
    expect(suggested('CONFLICT', 'Cancel the campaign first')).toBe('Cancel the campaign first');
    expect(suggested('INVALID_CREDENTIALS', 'Check both and try again')).toBe('Check both and try again');
  });
});
