import styles from './text.module.css'

/** Sentences in an order, with their numbers. */
export const NumberedList = ({ label, items }: { label: string; items: readonly string[] }) => (
  <ol className={styles.numbered} aria-label={label}>
    {items.map((item) => (
      <li key={item}>{item}</li>
    ))}
  </ol>
)
