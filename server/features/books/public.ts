export { importBooks } from './book-import.ts';
export { importCourses, listConsoleCourses, removeCourse } from './course-list.ts';
export { getCourse } from './courses.ts';
export type { ImportProgress } from './import-repository.ts';
