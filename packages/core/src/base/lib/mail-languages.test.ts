import { describe, expect, it } from 'vitest';
import { acceptedLanguage } from './mail-languages.ts';

describe('acceptedLanguage', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
    ['en;q=0.5, fr;q=0.9', 'fr'],
    ['sv, nl;q=0.7, de;q=0.7', 'nl'],
    ['de;q=0, pl', 'pl'],
    ['zh_CN', 'zh'],
    ['ja;q=abc, it;q=0.1', 'it'],
    [`${'x,'.repeat(5000)}es`, 'es'],
  ])('%s is %s', (header, language) => {
    expect(acceptedLanguage(header)).toBe(language);
  });
});
