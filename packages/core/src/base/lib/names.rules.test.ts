import { describe, expect, it } from 'vitest';
import { nameLikeness, nameText } from './names.rules.ts';

describe('a name', () => {
  it.each([
    ['plan', 'plan'],
    ['  First name\t', 'First name'],
    ['\u00a0Name\u3000', 'Name'],
    ['nai\u0308ve', 'naïve'],
    ['pl\u200ban\u202e\ufeff\u00ad', 'plan'],
    ['\u200b plan \u2060', 'plan'],
    ['👩\u200d💻 ❤\ufe0f', '👩\u200d💻 ❤\ufe0f'],
    ['क्\u200dष', 'क्\u200dष'],
    ['\u200b\u3164', ''],
    ['a\nb', 'a\nb'],
  ])('%j is stored as %j', (given, stored) => {
    expect(nameText(given)).toBe(stored);
    expect(nameText(stored)).toBe(stored);
  });
});

describe('names', () => {
  const alike = [
    'firstName',
    'first_name',
    'First Name',
    'FIRST-NAME',
    'first.name',
    'ｆｉｒｓｔname',
    'first\u200bname',
  ];
  it.each(alike)('like firstName are alike: %j', (name) => {
    expect(nameLikeness(name)).toBe(nameLikeness('firstName'));
  });

  it.each([
    ['Straße', 'STRASSE', true],
    ['ΣΑΣ', 'σας', true],
    ['plan', 'plans', false],
    ['Größe', 'Grosse', false],
    ['a1', 'a-1', true],
  ])('%j and %j are alike: %s', (one, other, areAlike) => {
    expect(nameLikeness(one) === nameLikeness(other)).toBe(areAlike);
  });
});
