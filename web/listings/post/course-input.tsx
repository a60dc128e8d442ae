import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { calls } from '#contract/calls.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { usePaused } from '#web/lib/use-paused.ts';
import { Button } from '#web/ui/button.tsx';
import { Input } from '#web/ui/input.tsx';
import type { ListingFormMethods } from './submission.ts';

/** How long the text must stay unchanged before courses are asked for, in milliseconds. */
const pauseMs = 250;
const minLength = 2;

/** The code of a course, with buttons for the courses that the typed text can mean. */
export function CourseInput({ form }: { form: ListingFormMethods }) {
  const { register, setValue, setFocus, clearErrors, control } = form;
  const typed = (useWatch({ control, name: 'course' }) ?? '').trim();
  const wanted = usePaused(typed, pauseMs).slice(0, 80);
  const { data } = useQuery(
    {
      queryKey: ['courses', wanted],
      queryFn: ({ signal }) => request(calls.suggestCourses, { query: { q: wanted }, signal }),
      enabled: wanted.length >= minLength,
      staleTime: Number.POSITIVE_INFINITY,
    },
    queryClient,
  );
  const isChosen = data?.items.some(({ code }) => code === typed);
  const courses = typed.length < minLength || isChosen ? [] : (data?.items ?? []);
  return (
    <>
      <Input autoComplete="off" {...register('course')} />
      <span role="status" className="sr-only">
        {courses.length > 0 && `${courses.length} ${courses.length === 1 ? 'course' : 'courses'} suggested`}
      </span>
      {courses.length > 0 && (
        <ul aria-label="Suggested courses" className="flex flex-col items-start">
          {courses.map(({ code, title }) => (
            <li key={code}>
              <Button
                variant="link"
                size="sm"
                onClick={() => {
                  setValue('course', code, { shouldDirty: true });
                  clearErrors('course');
                  // The pressed button disappears.
                  setFocus('course');
                }}
              >
                <span className="text-left">
                  <bdi>{code}</bdi> <bdi className="font-normal text-ink-muted">{title}</bdi>
                </span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
