import { expect, it } from 'vitest';
import { hostsIn } from './hosts.rules.ts';

it.each([
  ['', []],
  ['shop.example', ['shop.example']],
  ['shop.example, blog.example\n\nwww.example ', ['shop.example', 'blog.example', 'www.example']],
  ['https://shop.example/sale?x=1; HTTP://blog.example', ['shop.example', 'blog.example']],
])('%j is %j', (text, hosts) => expect(hostsIn(text)).toEqual(hosts));
