import type { Workflow } from '../../../lib/api.ts';
import { Chip } from '../../../ui/chip.tsx';

export const WorkflowState = ({ enabled, disabledReason }: Pick<Workflow, 'enabled' | 'disabledReason'>) =>
  !enabled && disabledReason === 'errors' ? (
    <Chip tone="bad" title="Too many of its executions failed, so it was disabled.">
      Failing
    </Chip>
  ) : (
    <Chip tone={enabled ? 'good' : 'calm'}>{enabled ? 'Enabled' : 'Disabled'}</Chip>
  );
