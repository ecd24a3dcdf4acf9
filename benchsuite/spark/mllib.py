"""Spark MLlib: `MinHashLSH` and its approximate self-join, as its guide shows them.

Everything runs in the JVM. Words are lower-cased runs of letters, digits and underscores; the set
of a document's 5-grams becomes a binary vector by `HashingTF` with 2^24 places: two documents of
1,000 5-grams each then share 0.06 of them by chance. Documents of fewer than five words are left
out, as MLlib refuses empty vectors. Vectors are kept in memory (on disk if they do not fit), as
both sides of the join need them.

MLlib takes two documents for candidates if they agree in one min-hash of any table, and then
compares their vectors: pairs are verified. Its default is one table, which misses a fifth of
the pairs with similarity 0.8; three miss 0.8 %. It cannot ask for several equal min-hashes at
once, so documents that share a common passage are compared with each other.
"""

from pyspark import StorageLevel
from pyspark.ml.feature import HashingTF, MinHashLSH, NGram, RegexTokenizer
from pyspark.sql import functions as F
from session import arguments, report, session, write_pairs

K = 5
PLACES = 1 << 24
SEED = 42
# MLlib wants distances below its limit; pairs on the threshold count here.
ROUNDING = 1e-9


def vectors(corpus):
    """The id and the set of 5-grams of each document that has one."""
    words = RegexTokenizer(inputCol="text", outputCol="words", pattern=r"(?U)\w+", gaps=False)
    grams = NGram(n=K, inputCol="words", outputCol="grams")
    places = HashingTF(numFeatures=PLACES, binary=True, inputCol="grams", outputCol="places")
    cut = grams.transform(words.transform(corpus)).where(F.size("grams") > 0)
    return places.transform(cut).select("id", "places")


def main():
    parser = arguments(__doc__)
    parser.add_argument("--tables", type=int, default=3, help="hash tables")
    options = parser.parse_args()
    with session(options) as (spark, _):
        sets = vectors(spark.read.parquet(options.corpus))
        lsh = MinHashLSH(inputCol="places", numHashTables=options.tables, seed=SEED)
        model = lsh.setOutputCol("hashes").fit(sets)
        hashed = model.transform(sets).persist(StorageLevel.MEMORY_AND_DISK)
        distance = 1 - options.threshold + ROUNDING
        joined = model.approxSimilarityJoin(hashed, hashed, distance)
        pairs = joined.select(F.col("datasetA.id").alias("a"), F.col("datasetB.id").alias("b"))
        found = write_pairs(options.out, pairs.where("a < b").collect())
        report(spark, pairs=found, tables=options.tables)


main()
