import { describe, expect, it, test } from 'vitest';
import { htmlToText } from './plain-text.ts';

/** Inputs in the shape that common editors write. */
describe('the text of newsletters', () => {
  it('React Email: the preview text and its padding are left out', () => {
    const padding = '\u00a0\u200c\u200b\u200d\u200e\u200f\ufeff'.repeat(30);
    const html = `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><html dir="ltr" lang="en"><head><meta content="text/html; charset=UTF-8" http-equiv="Content-Type"/></head><body><!--$--><div style="display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0" data-skip-in-text="true">Your order is on its way<div>${padding}</div></div><table align="center" width="100%" role="presentation"><tbody><tr style="width:100%"><td><h1>Thanks, Kim</h1><p style="font-size:14px">It leaves <!-- -->today<!-- -->.</p><a href="https://shop.example/o/1" style="line-height:100%"><span><!--[if mso]><i style="mso-font-width:400%;mso-text-raise:18" hidden>&#8202;&#8202;</i><![endif]--></span><span style="max-width:100%">Track it</span><span><!--[if mso]><i hidden>&#8202;&#8203;</i><![endif]--></span></a></td></tr></tbody></table><!--/$--></body></html>`;
    expect(htmlToText(html)).toBe('Thanks, Kim\n\nIt leaves today.\n\nTrack it (https://shop.example/o/1)\n');
  });

  it('MJML: sizes of zero around columns hide nothing that has a size of its own', () => {
    const html = `<!doctype html><html><head><title>News</title><!--[if mso]><noscript><xml><o:OfficeDocumentSettings></o:OfficeDocumentSettings></xml></noscript><![endif]--><style type="text/css">p { margin:13px 0 }</style></head><body style="word-spacing:normal;"><div style="display:none;font-size:1px;color:#ffffff;line-height:1px;max-height:0px;max-width:0px;opacity:0;overflow:hidden;">Preview</div><div style=""><div style="background:#fff url('https://i.example/b.png') center top / auto repeat;margin:0px auto;"><div style="line-height:0;font-size:0;"><table align="center" role="presentation"><tbody><tr><td style="direction:ltr;font-size:0px;padding:20px 0;text-align:center;"><!--[if mso | IE]><table><tr><td style="width:600px"><![endif]--><div class="mj-column-per-100" style="font-size:0px;text-align:left;"><table role="presentation" width="100%"><tbody><tr><td align="center" style="font-size:0px;"><a href="https://shop.example/" target="_blank"><img alt="Shop" src="https://i.example/l.png" style="font-size:13px;" width="100"></a></td></tr><tr><td align="left" style="font-size:0px;padding:10px 25px;"><div style="font-family:Ubuntu;font-size:13px;line-height:1;">Spring sale</div></td></tr><tr><td style="font-size:0px;line-height:0px;height:20px">&#8202;</td></tr></tbody></table></div><!--[if mso | IE]></td></tr></table><![endif]--></td></tr></tbody></table></div></div></div></body></html>`;
    expect(htmlToText(html)).toBe('Shop (https://shop.example/)\nSpring sale\n');
  });

  it('Word: marks of lists keep one blank, and revealed comments are read', () => {
    const html = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta http-equiv=Content-Type content="text/html; charset=windows-1252"><style><!-- p.MsoNormal {margin:0cm} --></style></head><body lang=EN-GB><div class=WordSection1><p class=MsoNormal>Dear Kim,<o:p></o:p></p><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span><![endif]>First point<o:p></o:p></p><p class=MsoNormal style='display:none'><o:p>draft</o:p></p><p class=MsoNormal><span style='display:none;mso-hide:all'>note</span>Regards<o:p></o:p></p></div></body></html>`;
    expect(htmlToText(html)).toBe('Dear Kim,\n\n· First point\n\nRegards\n');
  });

  it('Google Docs: lists begin where they say', () => {
    const html = `<html><head><style type="text/css">ol{margin:0}</style></head><body class="c5 doc-content"><p><span class="c2"></span></p><h1><span>Notes&nbsp;today</span></h1><ul class="lst-kix_1-0 start"><li><span>One</span></li></ul><ol class="lst-kix_2-0" start="3"><li><span>Third</span></li><li value="7"><span>Seventh</span></li><li><span>Eighth</span></li></ol><hr style="page-break-before:always;display:none;"><p><span>Done</span></p></body></html>`;
    expect(htmlToText(html)).toBe('Notes today\n\n- One\n\n3. Third\n7. Seventh\n8. Eighth\n\nDone\n');
  });

  it('Canva: a row of images has one address on each line', () => {
    const html = `<body style="margin:0"><div style="display:none;max-height:0">Teaser ${'&#8199;&#65279;&#847; '.repeat(40)}</div><table><tr><td><div><a href="https://shop.example/p1"><img src="1.png" alt=""></a><a href="https://shop.example/p2"><img src="2.png"></a>\n<a href="https://shop.example/p3" style="display:inline-block"><span style="display:none;mso-hide:all">hidden</span><span>Visible</span></a></div></td></tr></table></body>`;
    expect(htmlToText(html)).toBe(
      'https://shop.example/p1\nhttps://shop.example/p2\nVisible (https://shop.example/p3)\n',
    );
  });
});

test('a button that is drawn for Outlook keeps its words and its link for everybody else', () => {
  const html =
    '<div><!--[if mso]><v:roundrect href="https://a.example/start" style="width:190px"><center>Start</center></v:roundrect><![endif]-->' +
    '<a href="https://a.example/start" style="background-color:#41CC00;display:inline-block;mso-hide:all">Start now</a></div>';
  expect(htmlToText(html)).toBe('Start now (https://a.example/start)\n');
});

test.each([
  ['attribute', '<p hidden>x</p>a', 'a\n'],
  ['display', '<div style="color:red; DISPLAY : None !important">x<b>y</b></div>a', 'a\n'],
  ['visibility', '<span style="visibility:hidden">x</span>a', 'a\n'],
  ['in Outlook too', '<span style="display:none;mso-hide:all">x</span>a', 'a\n'],
  ['size and line', '<div style="font-size:0;line-height:0px">x</div>a', 'a\n'],
  ['size and height', '<div style="font-size:0px;max-height:0">x</div>a', 'a\n'],
  ['size alone', '<div style="font-size:0">x</div>a', 'x\na\n'],
  ['a later declaration counts', '<p style="display:none;display:block">x</p>', 'x\n'],
  ['an important one counts more', '<p style="display:none!important;display:block">x</p>a', 'a\n'],
  ['a comment in the style', '<p style="/* display:none; */color:red">x</p>', 'x\n'],
  ['an element without content', '<hr style="display:none"><br hidden><img hidden alt="x">a', 'a\n'],
  ['elements of the same name inside', '<div hidden><div>x</div>y</div>a', 'a\n'],
  ['ended by the element around', '<table><tr><td><div hidden>x</td><td>a</td></tr></table>', 'a\n'],
  ['a paragraph ended by the next', '<p hidden>x<p>a', 'a\n'],
  ['a paragraph ended by a block', '<p hidden>x<div>a</div>', 'a\n'],
  ['an item ended by the next', '<ul><li hidden>x<li>a</ul>', '- a\n'],
  ['a cell ended by the next', '<table><tr><td hidden>x<td>a<tr hidden><td>y<tr><td>b</table>', 'a\nb\n'],
  ['a term ended by the next', '<dl><dt hidden>x<dd>a<dt>b</dl>', 'a\nb\n'],
  ['an option ended by the next', '<option hidden>x<option>a', 'a\n'],
  [
    'a link ended by the next',
    '<a href="/x" hidden>x<a href="https://a.example">a</a>',
    'a (https://a.example)\n',
  ],
  ['a button ended by the next', '<button hidden>x<button>a', 'a\n'],
  ['an unclosed head', '<head><title>t</title><p>a', 'a\n'],
])('what is hidden by %s', (_how, html, text) => {
  expect(htmlToText(html)).toBe(text);
});

test.each([
  ['a run is left out', 'a&zwnj;&#8203;&shy;b', 'ab\n'],
  ['or is one blank', 'a&nbsp;&zwnj;&nbsp;b', 'a b\n'],
  ['white space does not end it', '<div>&#847; &zwnj; &#847; &zwnj;</div>a', 'a\n'],
  ['elements do not end it', 'a<b>&nbsp;</b><i>&nbsp;</i>&nbsp;b', 'a b\n'],
  ['two stay', 'a&nbsp;&nbsp;b', 'a  b\n'],
  ['joiners within words stay', 'می\u200cخواهم 👩\u200d👩\u200d👧', 'می\u200cخواهم 👩\u200d👩\u200d👧\n'],
  ['indentation stays', '<pre>a\n&nbsp;&nbsp;&nbsp;b</pre>', 'a\n   b\n'],
])('characters that only fill space: %s', (_what, html, text) => {
  expect(htmlToText(html)).toBe(text);
});

const image = (n: number, alt = ''): string =>
  `<a href="https://x.example/${n}"><img src="i" alt="${alt}"></a>`;
const link = (n: number): string => `<a href="https://x.example/${n}">t${n}</a>`;
test.each([
  ['images', image(1) + image(2), 'https://x.example/1\nhttps://x.example/2\n'],
  ['images with text', image(1, 'A') + image(2, 'B'), 'A (https://x.example/1)\nB (https://x.example/2)\n'],
  ['texts', link(1) + link(2), 't1 (https://x.example/1) t2 (https://x.example/2)\n'],
  [
    'a text and an image',
    `${link(1)} &nbsp; ${image(2)}`,
    /^t1 \(https:\/\/x.example\/1\) *\nhttps:\/\/x.example\/2\n$/,
  ],
  ['words and an image', `see${image(1)}now`, 'see https://x.example/1 now\n'],
  ['punctuation', `(${image(1)}).`, '(https://x.example/1).\n'],
  [
    'an image beside text',
    '<a href="https://x.example"><img alt="Logo">Shop</a>',
    'Shop (https://x.example)\n',
  ],
  [
    'a link of blanks',
    '<a href="https://x.example"><img alt="Logo">&nbsp;</a>',
    'Logo (https://x.example)\n',
  ],
  ['the host as text', '<a href="https://x.example/">x.example</a>', 'x.example\n'],
  [
    'the address as text, in words',
    'at<a href="https://x.example">https://x.example/</a>or',
    'at https://x.example/ or\n',
  ],
  ['blanks at the ends', 'a<a href="https://x.example"> b </a>c', 'a b (https://x.example) c\n'],
])('links and their neighbours: %s', (_what, html, text) => {
  expect(htmlToText(html)).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
});

test.each([
  ['of words', '<tr><td>a</td><td></td><td>b</td></tr><tr><th>c<th>d', 'a  b\nc  d\n'],
  [
    'of paragraphs',
    '<tr><td><p>a</p></td>\n<td><p>b</p></td></tr><tr><td><div>c</div></td><td>d</td></tr>',
    'a  b\n\nc  d\n',
  ],
  ['of several lines', '<tr><td><p>a</p><p>b</p></td><td><p>c</p></td></tr>', 'a\n\nb\n\nc\n'],
  [
    'of links',
    '<tr><td>a<td><a href="https://x.example"><p>b</p><p>c</p></a><td><p>d',
    'a  b\n\nc (https://x.example)\n\nd\n',
  ],
  ['of tables', '<tr><td><table><tr><td>a</table></td><td><table><tr><td>b</table>', 'a\n\nb\n'],
  ['of lists', '<tr><td>a<td><ul><li>b</ul><td><p>c', 'a\n\n- b\n\nc\n'],
])('cells: %s', (_what, rows, text) => {
  expect(htmlToText(`<table>${rows}</table>`)).toBe(text);
});

test.each([
  ['start', '<ol start="3"><li>a<li>b</ol>', '3. a\n4. b\n'],
  ['zero and below', '<ol start="-1"><li>a<li>b<li>c</ol>', '-1. a\n0. b\n1. c\n'],
  ['value', '<ol><li>a<li value="7">b<li>c</ol>', '1. a\n7. b\n8. c\n'],
  ['reversed', '<ol reversed><li>a<li>b<ol><li>x</ol><li>c</ol>', '3. a\n2. b\n\n  1. x\n\n1. c\n'],
  ['reversed with a start', '<ol reversed start="10"><li>a<li>b</ol>', '10. a\n9. b\n'],
  ['letters', '<ol type="a" start="26"><li>a<li>b</ol>', 'z. a\naa. b\n'],
  ['capital letters', '<ol type="A"><li>a<li>b</ol>', 'A. a\nB. b\n'],
  ['Roman', '<ol type="i" start="4"><li>a<li type="I">b</ol>', 'iv. a\nV. b\n'],
  ['Roman beyond its numbers', '<ol type="I" start="3999"><li>a<li>b</ol>', 'MMMCMXCIX. a\n4000. b\n'],
  ['the style', '<ol style="list-style-type: lower-roman"><li>a<li>b</ol>', 'i. a\nii. b\n'],
  ['an item that is not rendered', '<ol><li>a<li style="display:none">x<li>b</ol>', '1. a\n2. b\n'],
  ['an item that cannot be seen', '<ol><li>a<li style="visibility:hidden">x<li>b</ol>', '1. a\n3. b\n'],
  ['an empty item', '<ol><li>a<li></ol><p>b', '1. a\n\nb\n'],
  ['a list that is never closed', '<table><tr><td><ol><li>a<td><ol><li>b</table>', '1. a\n\n1. b\n'],
])('numbers of lists: %s', (_what, html, text) => {
  expect(htmlToText(html)).toBe(text);
});

test('control characters are left out', () => {
  expect(htmlToText('<p>a&#7;b\u0000c\u009f\td</p>')).toBe('abc d\n');
});
