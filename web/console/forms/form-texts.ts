import type { ConsoleForm } from '#contract/console-forms.ts';

export const formKindLabels: Record<ConsoleForm['kind'], string> = {
  contact: 'Contact',
  application: 'Application',
  'deletion-request': 'Deletion request',
  report: 'Report by email',
};

const fieldLabels: Record<string, string> = {
  name: 'Name',
  email: 'Email',
  topic: 'Topic',
  message: 'Message',
  subject: 'Subject',
  details: 'Details',
  item_link: 'Item link',
  opening: 'Opening',
};

export const getFormFieldLabel = (name: string): string => fieldLabels[name] ?? name;

/** Returns the title of a submitted form or, if it has none, the name of its kind. */
export const getFormTitle = ({ title, kind }: Pick<ConsoleForm, 'title' | 'kind'>): string =>
  title || formKindLabels[kind];
