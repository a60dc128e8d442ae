/** Returns the path of a course's page: "/course/MATH-125" for "MATH 125". */
export const buildCoursePath = (code: string): string =>
  `/course/${encodeURIComponent(code.replaceAll(' ', '-'))}`;
