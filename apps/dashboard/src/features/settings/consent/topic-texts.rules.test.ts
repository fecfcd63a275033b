import { describe, expect, it } from 'vitest';
import { languagesOf, textsIn } from './topic-texts.rules.ts';

describe('texts of a topic', () => {
  it('are what its fields hold, without those that are empty', () => {
    const values = { 'name.en': ' News ', 'name.de': ' ', 'name.fr': 'Actualités', 'description.en': 'x' };
    expect(textsIn(values, 'name')).toEqual({ en: 'News', fr: 'Actualités' });
    expect(textsIn(values, 'description')).toEqual({ en: 'x' });
  });

  it('have fields in the languages of name and description, and of the project for a new one', () => {
    expect(languagesOf([{ de: 'A' }, { en: 'B' }], 'fr')).toEqual(['en', 'de']);
    expect(languagesOf([], 'fr')).toEqual(['fr']);
    expect(languagesOf([{}, null], 'nl')).toEqual(['nl']);
  });
});
