import { goText } from './literal.rules.ts';
import { keyVariable, type SampleRequest } from './sample-request.rules.ts';

/** A program for Go with its own library. */
export function goSample({ method, baseUrl, target, credential, key, json, form }: SampleRequest): string {
  const imports = ['fmt', 'io', 'log', 'net/http'];
  const before: string[] = [];
  const headers: string[] = [];
  let body = 'nil';
  if (json !== undefined) {
    imports.push('strings');
    before.push(
      `body := strings.NewReader(${goText(JSON.stringify(json, null, 2).replaceAll('\n', '\n\t'))})`,
    );
    body = 'body';
    headers.push('request.Header.Set("Content-Type", "application/json")');
  } else if (form?.some(({ file }) => file)) {
    imports.push('bytes', 'mime/multipart', 'os');
    before.push('body := &bytes.Buffer{}', 'form := multipart.NewWriter(body)');
    for (const { name, value, file } of form) {
      if (file)
        before.push(
          `content, err := os.ReadFile("${value}")`,
          'check(err)',
          `part, err := form.CreateFormFile("${name}", "${value}")`,
          'check(err)',
          'part.Write(content)',
        );
      else before.push(`form.WriteField("${name}", ${JSON.stringify(value)})`);
    }
    before.push('form.Close()');
    body = 'body';
    headers.push('request.Header.Set("Content-Type", form.FormDataContentType())');
  } else if (form) {
    imports.push('strings', 'net/url');
    const values = form.map(({ name, value }) => `"${name}": {${JSON.stringify(value)}}`).join(', ');
    before.push(`body := strings.NewReader(url.Values{${values}}.Encode())`);
    body = 'body';
    headers.push('request.Header.Set("Content-Type", "application/x-www-form-urlencoded")');
  }
  if (credential === 'session') {
    imports.push('os');
    headers.push(
      'request.AddCookie(&http.Cookie{Name: "postrider_session", Value: os.Getenv("SESSION")})',
      'request.Header.Set("X-Project-Id", os.Getenv("PROJECT_ID"))',
    );
  } else if (credential !== 'none') {
    if (key === undefined) imports.push('os');
    headers.push(
      key === undefined
        ? `request.Header.Set("Authorization", "Bearer "+os.Getenv("${keyVariable(credential)}"))`
        : `request.Header.Set("Authorization", ${JSON.stringify(`Bearer ${key}`)})`,
    );
  }
  return [
    'package main',
    '',
    'import (',
    ...[...new Set(imports)].sort().map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...[
      ...before,
      `request, err := http.NewRequest("${method}", "${baseUrl}${target}", ${body})`,
      'check(err)',
      ...headers,
      'response, err := http.DefaultClient.Do(request)',
      'check(err)',
      'defer response.Body.Close()',
      'reply, err := io.ReadAll(response.Body)',
      'check(err)',
      'fmt.Println(response.Status, string(reply))',
    ].map((line) => `\t${line}`),
    '}',
    '',
    'func check(err error) {',
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    '}',
  ].join('\n');
}
