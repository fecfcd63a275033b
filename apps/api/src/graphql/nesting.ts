/**
 * The deepest nesting of brackets in a document: selection sets, arguments, lists, objects and list types. A linear scan, so
 * that the recursive parser never sees a document that is too deep for its stack, which its `maxTokens` does not prevent (decision 046).
 * Brackets in strings, block strings and comments do not count.
 */
export function nestingOf(document: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < document.length; index += 1) {
    switch (document[index]) {
      case '{':
      case '[':
      case '(':
        depth += 1;
        deepest = Math.max(deepest, depth);
        break;
      case '}':
      case ']':
      case ')':
        depth -= 1;
        break;
      case '#':
        index = endOfComment(document, index);
        break;
      case '"':
        index = endOfString(document, index);
    }
  }
  return deepest;
}

function endOfComment(document: string, start: number): number {
  let index = start;
  while (index < document.length && document[index] !== '\n' && document[index] !== '\r') index += 1;
  return index;
}

/** An unterminated string is a syntax error, which the parser reports: here it ends with its line or the document. */
function endOfString(document: string, start: number): number {
  if (document.startsWith('"""', start)) return endOfBlockString(document, start);
  for (let index = start + 1; index < document.length; index += 1) {
    const char = document[index];
    if (char === '\\') index += 1;
    else if (char === '"' || char === '\n' || char === '\r') return index;
  }
  return document.length;
}

function endOfBlockString(document: string, start: number): number {
  let end = document.indexOf('"""', start + 3);
  while (end !== -1 && document[end - 1] === '\\') end = document.indexOf('"""', end + 3);
  return end === -1 ? document.length : end + 2;
}
