require "json"
require "openssl"
require "socket"

# The secret of the endpoint: whsec_…
SECRET = ENV.fetch("WEBHOOK_SECRET")

# sample:start
# The event of a request that Postrider signed within the last 5 minutes; nil for any other.
def verify(body, headers)
  id, timestamp = headers.values_at("webhook-id", "webhook-timestamp")
  return unless timestamp&.match?(/\A\d+\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  key = SECRET.delete_prefix("whsec_").unpack1("m0")
  expected = "v1," + [OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.#{body}")].pack("m0")
  # While the secret is replaced there are two signatures, separated by a blank.
  given = headers.fetch("webhook-signature", "").split
  return unless given.any? { |signature| OpenSSL.secure_compare(expected, signature) }

  JSON.parse(body)
end
# sample:end

# A server of the standard library alone; in Rails, pass request.raw_post and the headers to verify.
server = TCPServer.new("127.0.0.1", Integer(ENV.fetch("PORT", "4000")))
loop do
  client = server.accept
  client.gets
  headers = {}
  while (line = client.gets&.chomp) && !line.empty?
    name, value = line.split(": ", 2)
    headers[name.downcase] = value
  end
  event = verify(client.read(headers["content-length"].to_i), headers)
  puts "#{event["kind"]} #{headers["webhook-id"]}" if event
  $stdout.flush
  client.write "HTTP/1.1 #{event ? "204 No Content" : "400 Bad Request"}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
  client.close
end
