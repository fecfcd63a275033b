import { expect, it } from 'vitest';
import { placeKeys } from './places.ts';
import { creatorOf, shortcutOf } from './shortcuts.rules.ts';

const pages = new Map(placeKeys.map(({ key, page }) => [key, page]));

it('each page of the navigation has a key of its own', () => {
  expect(pages.size).toBe(placeKeys.length);
});

it('g and a letter open a page; the letter alone does not', () => {
  expect(shortcutOf('g', false, pages)).toEqual({ target: null, leads: true });
  expect(shortcutOf('t', true, pages)).toEqual({ target: { page: 'templates' }, leads: false });
  expect(shortcutOf('t', false, pages)).toEqual({ target: null, leads: false });
});

it('after g, a letter without a page does nothing, also one that does something alone', () => {
  expect(shortcutOf('?', true, pages)).toEqual({ target: null, leads: false });
  expect(shortcutOf('c', true, pages)).toEqual({ target: { page: 'campaigns' }, leads: false });
});

it('c creates a record where the page lists records that can be created', () => {
  expect(shortcutOf('c', false, pages).target).toBe('create');
  expect(creatorOf('templates')).toBe('templates/new');
  expect(creatorOf('emails')).toBeNull();
});
