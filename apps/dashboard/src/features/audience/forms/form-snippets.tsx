import type { SignUpForm } from '../../../lib/api.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { type NamedSnippet, snippetsOf } from './snippets.rules.ts';

/** How to put a form on a page. */
export function FormSnippets({ form }: { form: SignUpForm }) {
  const [first, ...others] = snippetsOf(form);
  const tab = ({ label, code, note }: NamedSnippet) => ({
    label,
    content: (
      <>
        {note && <p>{note}</p>}
        <CodeBlock title={label} code={code} />
      </>
    ),
  });
  return (
    <Panel title="Put it on a page">
      <Tabs label="Ways to use the form" tabs={[tab(first), ...others.map(tab)]} />
    </Panel>
  );
}
