import type { ConsoleScreenProps } from '../console-screen.ts';
import { CaseList } from './case-list.tsx';
import { CaseScreen } from './case-screen.tsx';

/** Shows the list of cases or, if the path contains an id, one case. */
export function CasesScreen({ ownId, role, id }: ConsoleScreenProps) {
  return id === undefined ? (
    <CaseList ownId={ownId} />
  ) : (
    <CaseScreen key={id} ownId={ownId} role={role} id={id} />
  );
}
