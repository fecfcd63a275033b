import { defaultBrand } from '@postrider/core/people/projects/contract';
import { describe, expect, it } from 'vitest';
import { colorsOf } from './look.ts';

const of = (brand: Partial<Record<'primaryColor' | 'textColor' | 'backgroundColor', string>>): string =>
  colorsOf({ ...defaultBrand, ...brand });

describe('the colours of a brand on public pages', () => {
  it('are used where they can be read: a dark accent in light, a light one in dark', () => {
    expect(of({ primaryColor: '#003388' })).toContain(
      'light){:root{--paper:#f4f4f2;--ink:#1c1b19;--accent:#003388',
    );
    expect(of({ primaryColor: '#003388' })).not.toContain('dark');
    const light = of({ primaryColor: '#ffdd44' });
    expect(light).toContain('dark){:root{--accent:#ffdd44;--on-accent:#1a1a18;--link:#ffdd44');
    expect(light).not.toContain('--accent:#ffdd44;--on-accent:#fff');
  });

  it('keep the background away on which the small print could not be read', () => {
    expect(of({ backgroundColor: '#222222' })).not.toContain('--paper');
    expect(of({ backgroundColor: '#fff0dd' })).toContain('--paper:#fff0dd');
  });

  it('keep text away that could not be read on it', () => {
    expect(of({ textColor: '#bbbbbb' })).not.toContain('--ink');
    expect(of({ textColor: '#333333' })).toContain('--ink:#333333');
  });

  it('are colours', () => {
    const bad = '}</style><b>';
    const css = of({ primaryColor: bad, textColor: bad, backgroundColor: bad });
    expect(css).toBe('');
  });
});
