import { describe, expect, it } from 'vitest';
import { nextDirection, optionIn, pageIn, withParams } from './list-state.rules.ts';

const params = (text: string) => new URLSearchParams(text);
const changed = (text: string, changes: Record<string, string>) =>
  withParams(params(text), changes).toString();

describe('the state of a list in the address', () => {
  it('keeps the other filters when one changes, and goes back to the first page', () => {
    expect(changed('q=ada&status=sent&page=3', { status: 'failed' })).toBe('q=ada&status=failed');
  });

  it('leaves out what is not set', () => {
    expect(changed('q=ada&status=sent', { q: '', status: '' })).toBe('');
  });

  it('keeps the filters when the page changes', () => {
    expect(changed('q=ada', { page: '2' })).toBe('q=ada&page=2');
  });

  it('falls back to all for a value that is no option', () => {
    const options = [{ value: 'sent' }, { value: 'failed' }] as const;
    expect(optionIn(params('status=failed'), 'status', options)).toBe('failed');
    expect(optionIn(params('status=<script>'), 'status', options)).toBe('');
  });

  it('falls back to the first page for anything but a page number', () => {
    expect(pageIn(params('page=4'))).toBe(4);
    for (const page of ['', '0', '-1', '1.5', 'two']) expect(pageIn(params(`page=${page}`))).toBe(1);
  });
});

describe('the order of a column', () => {
  it('is its natural one first, then the opposite', () => {
    expect(nextDirection(false, 'desc', 'asc')).toBe('asc');
    expect(nextDirection(true, 'asc', 'asc')).toBe('desc');
  });
});
