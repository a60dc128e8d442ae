import type { ConsoleScreenProps } from '../console-screen.ts';
import { CaseList } from './case-list.tsx';
import { CasePage } from './case-page.tsx';

/** Shows the list of cases or, if the path contains an id, one case. */
export function CasesScreen({ ownId, role, id }: ConsoleScreenProps) {
  return id === undefined ? (
    <CaseList ownId={ownId} />
  ) : (
    <CasePage key={id} ownId={ownId} role={role} id={id} />
  );
}
