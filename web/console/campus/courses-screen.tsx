import { Upload } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { consoleCalls } from '#contract/console-calls.ts';
import type { ConsoleCourse, CourseImportResult } from '#contract/console-courses.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { request } from '#web/lib/api.ts';
import { formatCount } from '#web/lib/format.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { toast } from '#web/ui/toast.ts';
import { FilterRow, SearchFilter, useUrlFilter } from '../console-filters.tsx';
import { ConsoleList } from '../console-list.tsx';
import type { ConsoleScreenProps } from '../console-screen.ts';
import { ConsoleTable } from '../console-table.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { useConsoleList } from '../use-console-list.ts';

interface ChosenFile {
  name: string;
  csv: string;
}

/** Lists the courses of the campus, which suggest how textbook listings name them, and imports and removes them. */
export function CoursesScreen({ ownId }: ConsoleScreenProps) {
  const campus = useCampus();
  const [q] = useUrlFilter('q');
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<ChosenFile>();
  const [result, setResult] = useState<CourseImportResult>();
  const [removed, setRemoved] = useState<ConsoleCourse>();
  const list = useConsoleList(['console-courses', ownId, q], (cursor, signal) =>
    request(consoleCalls.listConsoleCourses, {
      query: { ...(q && { q }), ...(cursor && { cursor }) },
      signal,
    }),
  );
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [chosen] = target.files ?? [];
    // The same file can be chosen again after it was corrected.
    if (chosen) setFile({ name: chosen.name, csv: await chosen.text() });
    target.value = '';
  };
  return (
    <>
      <PageHeading
        className="mb-4!"
        subtitle="A CSV file with code, title, term and ISBNs. Courses that are not in it stay."
        actions={
          <Button
            icon={<Upload aria-hidden="true" className="size-4" />}
            onClick={() => input.current?.click()}
          >
            Import a file
          </Button>
        }
      >
        Courses
      </PageHeading>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        aria-label="File with courses"
        className="hidden"
        onChange={(event) => void choose(event)}
      />
      {result && <ImportResult {...result} />}
      <FilterRow>
        <SearchFilter name="q" label="Code or title" />
      </FilterRow>
      <ConsoleList list={list} what="courses" empty={q ? 'No course found' : 'No courses yet'}>
        {(courses) => (
          <ConsoleTable
            label="Courses"
            rows={courses}
            getKey={({ code }) => code}
            columns={[
              { title: 'Code', cell: ({ code }) => <bdi className="font-semibold">{code}</bdi> },
              { title: 'Title', cell: ({ title }) => <bdi>{title}</bdi> },
              { title: 'Term', cell: ({ term }) => <bdi>{term}</bdi> },
              { title: 'Books', numeric: true, cell: ({ books }) => formatCount(books, campus) },
              {
                title: 'Actions',
                cell: (course) => (
                  <Button variant="ghost" size="sm" onClick={() => setRemoved(course)}>
                    <span>
                      Remove<span className="sr-only">{` ${course.code}`}</span>
                    </span>
                  </Button>
                ),
              },
            ]}
          />
        )}
      </ConsoleList>
      {file && (
        <ReasonDialog
          title={`Import ${isolateDirection(file.name)}?`}
          description="Adds its courses, and changes those that have the same code."
          confirmLabel="Import"
          draftName="import courses"
          onClose={() => setFile(undefined)}
          onConfirm={async (reason) => {
            setResult(await request(consoleCalls.importCourses, { body: { csv: file.csv, reason } }));
            list.reload();
          }}
        />
      )}
      {removed && (
        <ReasonDialog
          title={`Remove ${isolateDirection(removed.code)}?`}
          description="It is no longer suggested. Listings keep its code."
          confirmLabel="Remove"
          danger
          draftName={`remove course ${removed.code}`}
          onClose={() => setRemoved(undefined)}
          onConfirm={async (reason) => {
            await request(consoleCalls.removeCourse, { params: { code: removed.code }, body: { reason } });
            toast.success('Course removed');
            list.reload();
          }}
        />
      )}
    </>
  );
}

function ImportResult({ added, changed, duplicates, broken, examples }: CourseImportResult) {
  const campus = useCampus();
  const count = (lines: number) => formatCount(lines, campus);
  return (
    <div className="mb-4">
      <Alert
        tone={broken > 0 ? 'notice' : 'success'}
        title={`${count(added)} courses added, ${count(changed)} changed`}
      >
        {duplicates > 0 && (
          <p>{`Named more than once, of which the last counts: ${count(duplicates)} lines`}</p>
        )}
        {broken > 0 && <p>{`Broken: ${count(broken)} lines`}</p>}
        <ul>
          {examples.map(({ line, reason }) => (
            <li key={`${line} ${reason}`}>{`Line ${count(line)}: ${reason}`}</li>
          ))}
        </ul>
      </Alert>
    </div>
  );
}
