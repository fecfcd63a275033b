import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { FormActions } from '../../../ui/form.tsx';

/** New recovery codes, which the server does not show again. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <>
      <p>
        Keep these recovery codes where you find them without your phone. Each one replaces the second step of
        a login once. They are not shown again.
      </p>
      <CodeBlock title="Recovery codes" code={codes.join('\n')} />
      <FormActions>
        <Button kind="primary" onClick={onClose}>
          I have saved them
        </Button>
      </FormActions>
    </>
  );
}
