import type { ConsoleScreenProps } from '../console-screen.ts';
import { CaseList } from './case-list.tsx';
import { CasePage } from './case-page.tsx';

/** The list of cases, or one of them. */
export function CasesScreen({ ownId, id }: ConsoleScreenProps) {
  return id === undefined ? <CaseList ownId={ownId} /> : <CasePage key={id} ownId={ownId} id={id} />;
}
